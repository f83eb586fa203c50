import { Button, Code, Stack, Text } from "@mantine/core";
import type { Approval } from "@tenterhook/protocol/runs";
import { useState } from "react";
import { decisionText } from "../../approvals/approval-labels.ts";
import { formatCount } from "../../components/format-count.ts";
import { runnerHookKey } from "../../components/hook-label.ts";
import { HookLink } from "../../components/hook-link.tsx";
import { visibleText } from "../../components/visible-text.ts";
import { HookName } from "../hooks/hook-name.tsx";
import { hookSummary } from "../hooks/hook-summary.ts";
import { actText } from "./hook-act.ts";
import type { HookAct, TimelineRow } from "./timeline-row.ts";

const FIRST = 20;

/** What hooks and people decided, a line each. */
export function RowDecisions({ rows }: { readonly rows: readonly TimelineRow[] }) {
  const [isWhole, setWhole] = useState(false);
  const approvals = rows.flatMap(({ detail }) => (detail.type === "approval" ? [detail.approval] : []));
  if (rows.length === 0) return <Text size="sm">No hook changed or refused anything here.</Text>;
  return (
    <Stack gap={4}>
      {(isWhole ? rows : rows.slice(0, FIRST)).map((row) => (
        <Decision key={row.id} row={row} approvals={approvals} />
      ))}
      {rows.length > FIRST && !isWhole && (
        <Button
          size="compact-xs"
          variant="default"
          onClick={() => setWhole(true)}
          style={{ alignSelf: "start" }}
        >
          Show all {formatCount(rows.length)} decisions
        </Button>
      )}
    </Stack>
  );
}

interface Props {
  readonly row: TimelineRow;
  readonly approvals: readonly Approval[];
}

function Decision({ row: { detail }, approvals }: Props) {
  switch (detail.type) {
    case "act":
      return <Act act={detail.act} />;
    case "hook": {
      const { decided, why } = hookSummary(detail.hook, approvals);
      return (
        <Text size="sm" component="div">
          <HookName hook={detail.hook} /> <b>{decided}</b>
          {why !== undefined && `: ${visibleText(why)}`}
        </Text>
      );
    }
    case "approval":
      return (
        <Text size="sm">
          {detail.approval.asked_by} asked: {visibleText(detail.approval.reason)}.{" "}
          {detail.approval.state === "pending" ? "Waiting for a decision." : decisionText(detail.approval)}
        </Text>
      );
    default:
      return null;
  }
}

/** What a hook did on the runner. */
export function Act({ act }: { readonly act: HookAct }) {
  return (
    <Text size="sm">
      {act.hook === null ? "The permission rules" : "The hook "}
      {act.hook !== null && <HookLink hook={runnerHookKey(act.hook)} ff="monospace" underline="always" />} at{" "}
      <Code>{act.event}</Code> {visibleText(actText(act))}
    </Text>
  );
}
