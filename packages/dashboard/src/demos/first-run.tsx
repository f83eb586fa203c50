import { Alert, Button, Code, Group, Skeleton, Stack, Text, Title } from "@mantine/core";
import { IconPlayerPlay, IconServer2 } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import type { AgentSummary } from "@tenterhook/protocol/runs";
import { useIdentity, useMay } from "../access/identity.ts";
import { queries } from "../api/queries.ts";
import { CommandLine } from "../components/command-line.tsx";
import { EmptyState } from "../components/empty-state.tsx";
import { ProblemState } from "../components/problem-state.tsx";
import { ButtonLink } from "../components/router-links.ts";
import { StartRunner } from "../components/start-runner.tsx";
import { DemoButtons } from "./demo-buttons.tsx";
import { findDemos } from "./demos.ts";

interface Props {
  /** `undefined` without the permission to start runs. */
  readonly onStart: (() => void) | undefined;
}

/** Shown in place of the list of runs before the first one: demos to start, or what to do without them. */
export function FirstRun({ onStart }: Props) {
  const { data: agents, error, refetch } = useQuery(queries.agents());
  if (agents === undefined) {
    return error === null ? (
      <Skeleton h={240} role="status" aria-label="Loading" />
    ) : (
      <ProblemState error={error} retry={() => void refetch()} />
    );
  }
  if (onStart === undefined) return <MayNotStart />;
  const demos = findDemos(agents);
  if (demos.length === 0) return <WithoutDemos agents={agents} onStart={onStart} />;
  return (
    <Stack maw={800} mx="auto" py="lg" gap="md" align="center">
      <Stack gap={4} ta="center">
        <Title order={2} size="h3">
          No runs yet. Start with a demo
        </Title>
        <Text c="dimmed">Each button starts a real run of an agent, and opens it.</Text>
      </Stack>
      <NoRunnerNotice />
      <DemoButtons demos={demos} />
      <Group justify="center" gap="xs">
        <Button variant="subtle" onClick={onStart}>
          Start another run
        </Button>
        <ButtonLink to="/agents" variant="subtle">
          View agents
        </ButtonLink>
      </Group>
    </Stack>
  );
}

/** A user who reads only: why there are no buttons, and who can change that. */
function MayNotStart() {
  const { scope } = useIdentity();
  return (
    <EmptyState icon={IconPlayerPlay} title="No runs yet">
      <Stack gap="sm" align="center">
        <Text size="sm">
          You are signed in with the scope <Code>{scope}</Code>, which does not start runs. Runs of others
          appear here. An administrator creates a token that does:
        </Text>
        <CommandLine command="tenterhook tokens create --name … --scope client" />
      </Stack>
    </EmptyState>
  );
}

interface WithoutDemosProps {
  readonly agents: readonly AgentSummary[];
  readonly onStart: () => void;
}

/** A coordinator that was started with `serve` has the agents that were saved, and no demos. */
function WithoutDemos({ agents, onStart }: WithoutDemosProps) {
  const mayDefine = useMay("define");
  const [agent] = agents;
  const access = `--url ${location.origin} --token …`;
  if (agent === undefined) {
    return (
      <EmptyState icon={IconPlayerPlay} title="No agents yet">
        <Stack gap="sm" align="center">
          <Text size="sm">
            {mayDefine
              ? "A run needs an agent. Save the first one here, or its blueprint in a terminal:"
              : "A run needs an agent. An administrator saves its blueprint on this page or in a terminal:"}
          </Text>
          <CommandLine command={`tenterhook agents put agent.json ${access}`} />
          {mayDefine && <ButtonLink to="/new-agent">Create an agent</ButtonLink>}
          <Text size="sm">
            To see demos instead, run <Code>tenterhook up</Code> on your machine.
          </Text>
        </Stack>
      </EmptyState>
    );
  }
  return (
    <EmptyState icon={IconPlayerPlay} title="No runs yet">
      <Stack gap="sm" align="center">
        <NoRunnerNotice />
        <Text size="sm">Start a run here, or in a terminal:</Text>
        <CommandLine command={`tenterhook run ${agent.name} ${access}`} />
        <Group justify="center" gap="xs">
          <Button onClick={onStart}>Start the first run</Button>
          <ButtonLink to="/agents" variant="default">
            View agents
          </ButtonLink>
        </Group>
      </Stack>
    </EmptyState>
  );
}

/** Says that runs would wait, while no runner takes new ones. */
function NoRunnerNotice() {
  const { data } = useQuery(queries.runners());
  if (data === undefined || data.some(({ state }) => state === "online")) return null;
  return (
    <Alert
      color="yellow"
      variant="light"
      role="status"
      w="100%"
      ta="left"
      title="No runner connected"
      icon={<IconServer2 aria-hidden />}
    >
      <Stack gap={4}>
        <Text size="sm">You can start runs, but they wait until a runner connects:</Text>
        <StartRunner />
      </Stack>
    </Alert>
  );
}
