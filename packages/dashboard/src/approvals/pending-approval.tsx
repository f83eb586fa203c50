import { Badge, Card, Code, Group, Stack, Text, Title } from "@mantine/core";
import { IconClockHour4 } from "@tabler/icons-react";
import type { Approval } from "@tenterhook/protocol/runs";
import { useId } from "react";
import { useMay } from "../access/identity.ts";
import { useNow } from "../components/clock.ts";
import { Disclosure } from "../components/disclosure.tsx";
import { JsonView } from "../components/json-view.tsx";
import { AgentLink, RunLink } from "../components/links.tsx";
import { Ago } from "../components/times.tsx";
import { subjectParts, timeLeftText, timingText } from "./approval-labels.ts";
import { DecisionForm } from "./decision-form.tsx";

interface Props {
  readonly approval: Approval;
  /** Called when a form is opened or closed. */
  readonly onEngaged: (isEngaged: boolean) => void;
  readonly onDecided: () => void;
}

/** A pending approval: the reason, the hook, the subject, the time left, and the form to decide it. */
export function PendingApproval({ approval, onEngaged, onDecided }: Props) {
  const title = useId();
  const { main, title: mainTitle, tool } = subjectParts(approval);
  const isWhole = main === approval.subject;
  const { agent_name } = approval;
  return (
    <Card withBorder padding="md" bg="var(--mantine-color-body)" component="article" aria-labelledby={title}>
      <Stack gap="sm">
        <Group justify="space-between" align="flex-start" gap="xs">
          <Title order={3} size="h4" id={title} style={{ flex: "1 1 240px", overflowWrap: "anywhere" }}>
            {approval.reason}
          </Title>
          <TimeLeft expiresAt={approval.expires_at} />
        </Group>
        <Text size="sm" component="div">
          <Code>{approval.asked_by}</Code> asks {timingText(approval)}
          {tool !== undefined && (
            <>
              {" "}
              of <Code>{tool}</Code>
            </>
          )}
          {agent_name !== null && (
            <>
              {" · agent "}
              <AgentLink name={agent_name} inherit />
            </>
          )}
          {" · "}
          <RunLink id={approval.run_id} />
          {" · "}
          <Ago time={approval.created_at} />
        </Text>
        <Stack gap={4}>
          <Text size="xs" fw={600} c="dimmed">
            {mainTitle}
          </Text>
          <JsonView value={main} label={mainTitle} />
        </Stack>
        {!isWhole && (
          <Disclosure label="Full input of the hook">
            <JsonView value={approval.subject} label="subject" />
          </Disclosure>
        )}
        {useMay("decide") && <DecisionForm approval={approval} onEngaged={onEngaged} onDecided={onDecided} />}
      </Stack>
    </Card>
  );
}

const SOON_MS = 60_000;

function TimeLeft({ expiresAt }: { readonly expiresAt: string }) {
  const now = useNow();
  const isSoon = Date.parse(expiresAt) - now < SOON_MS;
  return (
    <Badge
      variant={isSoon ? "filled" : "default"}
      color="red"
      radius="sm"
      tt="none"
      leftSection={<IconClockHour4 size={14} aria-hidden />}
      style={{ fontVariantNumeric: "tabular-nums" }}
    >
      {timeLeftText(expiresAt, now)}
    </Badge>
  );
}
