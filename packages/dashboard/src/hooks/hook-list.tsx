import { Badge, Group, Table, Text } from "@mantine/core";
import {
  DEFAULT_HOOK_SECONDS,
  type HookInUse,
  type HookResultOutcome,
  type RunHookDefinition,
} from "@tenterhook/protocol/runs";
import { hookLabel } from "../components/hook-label.ts";
import { HookLink } from "../components/hook-link.tsx";
import { AgentLink } from "../components/links.tsx";
import type { SortColumn } from "../components/sort-rows.ts";
import { SortedList } from "../components/sorted-list.tsx";
import { HookDurations } from "./hook-durations.tsx";
import { NotEnforcedBadge } from "./not-enforced.tsx";
import { ResultLink, ResultLinks, type ResultTime } from "./result-links.tsx";
import { COMMON_OUTCOMES, findResult, rareResults } from "./results.ts";
import { UsedBy } from "./used-by.tsx";

interface Props {
  readonly hooks: readonly HookInUse[];
  readonly time: ResultTime;
}

/** The hooks in use, in a table or as cards. */
export function HookList({ hooks, time }: Props) {
  return (
    <SortedList
      label="Hooks in use"
      rows={hooks}
      keyOf={({ hook }) => hook}
      columns={HOOK_COLUMNS}
      alignedRight={COMMON_OUTCOMES}
      renderCells={(hook) => <HookCells hook={hook} time={time} />}
      renderCard={(hook) => <HookCard hook={hook} time={time} />}
    />
  );
}

interface RowProps {
  readonly hook: HookInUse;
  readonly time: ResultTime;
}

function HookCells({ hook, time }: RowProps) {
  const rare = rareResults(hook);
  return (
    <>
      <Table.Td maw={260}>
        <HookLink hook={hook.hook} fw={600} />
        <Group gap={6}>
          <Source hook={hook} />
          {isNotEnforced(hook) && <NotEnforcedBadge />}
          {hook.source !== "inline" && <Text size="xs">{hook.events.join(", ")}</Text>}
        </Group>
      </Table.Td>
      <Table.Td maw={240}>
        <Target hook={hook} />
      </Table.Td>
      <Table.Td maw={200}>{hook.agents.length === 0 ? "none" : <UsedBy agents={hook.agents} />}</Table.Td>
      {COMMON_OUTCOMES.map((outcome) => (
        <Table.Td key={outcome} ta="right">
          <Result hook={hook} time={time} outcome={outcome} />
        </Table.Td>
      ))}
      <Table.Td>
        {rare.map((result) => (
          <Text key={result.outcome} size="sm" component="div">
            <ResultLink hook={hook} time={time} result={result} isNamed />
          </Text>
        ))}
      </Table.Td>
      <Table.Td>
        <HookDurations hook={hook} />
      </Table.Td>
    </>
  );
}

function HookCard({ hook, time }: RowProps) {
  return (
    <>
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <HookLink hook={hook.hook} fw={600} />
        <Group gap="xs">
          {isNotEnforced(hook) && <NotEnforcedBadge />}
          <Source hook={hook} />
        </Group>
      </Group>
      <Text size="sm" component="div">
        {hook.source === "runner" ? hook.events.join(", ") : <Target hook={hook} />}
      </Text>
      <Text size="xs" mb="xs" component="div">
        Used by {hook.agents.length === 0 ? "none" : <UsedBy agents={hook.agents} />}
      </Text>
      <ResultLinks hook={hook} time={time} />
      <HookDurations hook={hook} />
    </>
  );
}

function isNotEnforced({ definition }: HookInUse): boolean {
  return definition?.enforce === false;
}

const SOURCES: Readonly<Record<HookInUse["source"], string>> = {
  named: "named",
  inline: "inline",
  runner: "runner",
};

function Source({ hook }: { readonly hook: HookInUse }) {
  return (
    <Badge variant="outline" color="gray" radius="sm" size="sm" tt="none" style={{ flex: "none" }}>
      {sourceText(hook)}
    </Badge>
  );
}

function sourceText({ source, definition }: HookInUse): string {
  return source !== "runner" && definition === null ? "deleted" : SOURCES[source];
}

function Target({ hook: { definition } }: { readonly hook: HookInUse }) {
  if (definition === null) return null;
  return (
    <>
      <Text size="sm" component="div" style={{ overflowWrap: "anywhere" }}>
        {definition.type === "agent" ? (
          <>
            agent <AgentLink name={definition.agent_name} inherit underline="always" />
          </>
        ) : (
          targetText(definition)
        )}
      </Text>
      <Text size="xs">{settingsText(definition)}</Text>
    </>
  );
}

/** How often a hook had an outcome; what is not counted is not a zero. */
function Result({ hook, time, outcome }: RowProps & { readonly outcome: HookResultOutcome }) {
  const result = findResult(hook, outcome);
  if (result !== undefined) return <ResultLink hook={hook} time={time} result={result} />;
  // A run hook that changed something has passed.
  if (hook.source === "runner" || outcome !== "changed") return "0";
  return (
    <Text span size="xs" c="dimmed">
      in passed
    </Text>
  );
}

const HOOK_COLUMNS: readonly SortColumn<HookInUse>[] = [
  { key: "name", label: "Hook", value: ({ hook }) => hookLabel(hook) },
  {
    key: "calls",
    label: "Calls",
    value: ({ definition }) => (definition === null ? "" : targetText(definition)),
  },
  { key: "users", label: "Used by", value: ({ agents }) => agents.join(" ") },
  ...COMMON_OUTCOMES.map((outcome) => ({
    key: outcome,
    label: outcome[0]?.toUpperCase() + outcome.slice(1),
    value: (hook: HookInUse) => findResult(hook, outcome)?.calls ?? 0,
    isDescendingFirst: true,
  })),
  {
    key: "other",
    label: "Other",
    value: (hook) => rareResults(hook).reduce((sum, { calls }) => sum + calls, 0),
    isDescendingFirst: true,
  },
  { key: "duration", label: "Duration", value: ({ p95_ms }) => p95_ms ?? -1, isDescendingFirst: true },
];

function targetText(definition: RunHookDefinition): string {
  return definition.type === "agent" ? definition.agent_name : `${definition.method} ${definition.url}`;
}

/** `on error block, sync, 45 s` */
function settingsText({ on_error, mode, timeout_seconds }: RunHookDefinition): string {
  return [
    `on error ${on_error}`,
    ...(mode === undefined ? [] : [mode]),
    `${timeout_seconds ?? DEFAULT_HOOK_SECONDS} s`,
  ].join(", ");
}
