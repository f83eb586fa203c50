import { Badge, Group, Stack, Text } from "@mantine/core";
import type { HookTrial } from "@tenterhook/protocol/runs";
import { countText } from "../../components/count-text.ts";
import { DiffView } from "../../components/diff-view.tsx";
import { Disclosure } from "../../components/disclosure.tsx";
import { durationText } from "../../components/durations.ts";
import { JsonView } from "../../components/json-view.tsx";
import { RunLink } from "../../components/links.tsx";
import { TrialBadge } from "../../components/trial-badge.tsx";
import { OUTCOME_COLORS } from "./outcome-colors.ts";

/** What a hook answered, and what that would mean for a run. */
export function TrialResult({ trial }: { readonly trial: HookTrial }) {
  const { outcome, reason, error, meaning, changes, reply, input } = trial;
  return (
    <Stack gap="xs" component="section" aria-label="Result of the trial">
      <Group gap="xs">
        <Badge color={OUTCOME_COLORS[outcome]} variant="light" radius="sm" tt="none">
          {outcome}
        </Badge>
        <Text size="sm">{facts(trial)}</Text>
        {trial.run_id !== null && (
          <>
            <TrialBadge />
            <RunLink id={trial.run_id} ff="inherit" size="sm" underline="always">
              View the hook's run
            </RunLink>
          </>
        )}
      </Group>
      {(reason ?? error) !== null && (
        <Text size="sm" style={{ overflowWrap: "anywhere", whiteSpace: "pre-wrap" }}>
          {reason ?? error}
        </Text>
      )}
      <Text size="sm" fw={600}>
        {meaning}
      </Text>
      {changes !== null && (
        <DiffView before={changes.before} after={changes.after} label="What the hook would change" />
      )}
      {reply !== null && (
        <Disclosure label="Answer of the hook">
          <JsonView value={reply} label="the answer" />
        </Disclosure>
      )}
      <Disclosure label="Input that was sent">
        <JsonView value={input} label="the input" />
      </Disclosure>
    </Stack>
  );
}

function facts({ duration_ms, http_status, attempts, target_name }: HookTrial): string {
  const status = http_status === null ? [] : [`HTTP status ${http_status}`];
  const tries = attempts === null || attempts <= 1 ? [] : [countText(attempts, "attempt")];
  return [target_name, durationText(duration_ms), ...status, ...tries].join(" · ");
}
