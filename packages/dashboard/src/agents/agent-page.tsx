import { Badge, Skeleton, Stack, Text } from "@mantine/core";
import { IconPlayerPlay, IconRobot } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import type { AgentRecord } from "@tenterhook/protocol/runs";
import { useMay } from "../access/identity.ts";
import { isProblem } from "../api/problem.ts";
import { queries } from "../api/queries.ts";
import { ByPerson } from "../components/by-person.tsx";
import { MissingState } from "../components/missing-state.tsx";
import { PageHeader } from "../components/page-header.tsx";
import { ProblemState } from "../components/problem-state.tsx";
import { ButtonLink } from "../components/router-links.ts";
import { Ago } from "../components/times.tsx";
import { DeleteButton } from "../editing/delete-button.tsx";
import { useStoredBase } from "../editing/use-stored-base.ts";
import { UsedBy } from "../hooks/used-by.tsx";
import { AgentEditor } from "./editor/agent-editor.tsx";
import { agentAddress, savedAgent, useEditedAgent } from "./editor/edited-agent.ts";

/** One agent: read, edit, delete. */
export function AgentPage() {
  const { name } = useParams({ from: "/agents/$name" });
  const { data, error, refetch } = useQuery(queries.agent(name));
  const isDeleted = isProblem(error, "not_found");
  if (data !== undefined) return <Agent key={name} record={data} isDeleted={isDeleted} />;
  return (
    <>
      <PageHeader title={name} />
      {error === null ? (
        <Stack gap="md" maw={860} role="status" aria-label="Loading">
          <Skeleton h={36} />
          <Skeleton h={64} />
          <Skeleton h={120} />
        </Stack>
      ) : isDeleted ? (
        <UnknownAgent key={name} name={name} />
      ) : (
        <ProblemState error={error} retry={() => void refetch()} />
      )}
    </>
  );
}

/** An agent that does not exist. The user may still have a draft of it, which can be created again. */
function UnknownAgent({ name }: { readonly name: string }) {
  const base = useStoredBase(agentAddress(name), useMay("define"));
  const edited = useEditedAgent(base, true);
  if (base !== undefined) return <AgentEditor edited={edited} mayChange />;
  return (
    <MissingState icon={IconRobot} title={`Agent ${name} not found`} list="/agents">
      It may have been deleted.
    </MissingState>
  );
}

function Agent({ record, isDeleted }: { readonly record: AgentRecord; readonly isDeleted: boolean }) {
  const { blueprint, revision, etag, updated_at, updated_by, used_by } = record;
  const { name } = blueprint;
  const mayChange = useMay("define");
  const mayRun = useMay("run");
  const edited = useEditedAgent(savedAgent(record), isDeleted);
  const users = { ...used_by, agents: used_by.agents.filter((user) => user !== name) };
  const isUsed = users.agents.length + users.hooks.length > 0;
  return (
    <>
      <PageHeader
        title={name}
        beside={
          <Badge variant="outline" color="gray" radius="sm" tt="none">
            {blueprint.type}
          </Badge>
        }
      >
        {mayChange && !isDeleted && (
          <DeleteButton
            list="agents"
            name={name}
            etag={etag}
            draft={edited.address}
            consequence="Existing runs keep their blueprint. No new runs can be started."
            usedBy={isUsed ? <UsedBy {...users} /> : undefined}
          />
        )}
        {mayRun && !isDeleted && (
          <ButtonLink
            to="/runs"
            search={{ start: name }}
            variant="default"
            leftSection={<IconPlayerPlay size={18} aria-hidden />}
          >
            Start a run
          </ButtonLink>
        )}
      </PageHeader>
      <Text size="sm" mb="md" component="div">
        Revision {revision}, saved <Ago time={updated_at} />
        <ByPerson name={updated_by} />.
        {isUsed && (
          <>
            {" "}
            It runs hooks of <UsedBy {...users} />.
          </>
        )}
        {!mayChange && " You have read-only access."}
      </Text>
      <AgentEditor edited={edited} mayChange={mayChange} />
    </>
  );
}
