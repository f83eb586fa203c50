import { Badge, Group, Table, Text } from "@mantine/core";
import { DEFAULT_HOOK_SECONDS, type NamedHook, type RunHookDefinition } from "@tenterhook/protocol/runs";
import { AgentLink } from "../components/links.tsx";
import { AnchorLink } from "../components/router-links.ts";
import type { SortColumn } from "../components/sort-rows.ts";
import { SortedList } from "../components/sorted-list.tsx";
import { HookCharts, HookNumbers } from "./hook-charts.tsx";
import { UsedBy } from "./used-by.tsx";

/** The named hooks, in a table or as cards. */
export function HookList({ hooks }: { readonly hooks: readonly NamedHook[] }) {
  return (
    <SortedList
      label="Named hooks"
      rows={hooks}
      columns={HOOK_COLUMNS}
      alignedRight="timeout"
      renderCells={(hook) => <HookCells hook={hook} />}
      renderCard={(hook) => <HookCard hook={hook} />}
    />
  );
}

function HookCells({ hook: { name, definition, used_by, counts } }: { readonly hook: NamedHook }) {
  return (
    <>
      <Table.Td maw={200}>
        <HookName name={name} />
      </Table.Td>
      <Table.Td maw={260}>
        <Target definition={definition} />
      </Table.Td>
      <Table.Td>
        <OnError definition={definition} />
      </Table.Td>
      <Table.Td>{modeText(definition)}</Table.Td>
      <Table.Td ta="right" style={{ whiteSpace: "nowrap" }}>
        {timeoutSeconds(definition)} s
      </Table.Td>
      <Table.Td maw={220}>{used_by.length === 0 ? "none" : <UsedBy agents={used_by} />}</Table.Td>
      <Table.Td>
        <HookCharts counts={counts} />
        {counts.ran > 0 && <HookNumbers counts={counts} />}
      </Table.Td>
    </>
  );
}

function HookCard({ hook: { name, definition, used_by, counts } }: { readonly hook: NamedHook }) {
  return (
    <>
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <HookName name={name} />
        <OnError definition={definition} />
      </Group>
      <Text size="sm" component="div">
        Calls <Target definition={definition} />
      </Text>
      <Text size="xs" mb="xs" component="div">
        Timeout {timeoutSeconds(definition)} s, mode {modeText(definition)}, used by{" "}
        {used_by.length === 0 ? "none" : <UsedBy agents={used_by} />}
      </Text>
      <HookCharts counts={counts} />
      {counts.ran > 0 && <HookNumbers counts={counts} />}
    </>
  );
}

function HookName({ name }: { readonly name: string }) {
  return (
    <AnchorLink to="/hooks/$name" params={{ name }} size="sm" fw={600} style={{ overflowWrap: "anywhere" }}>
      {name}
    </AnchorLink>
  );
}

function Target({ definition }: { readonly definition: RunHookDefinition }) {
  if (definition.type === "agent") {
    return (
      <span>
        agent <AgentLink name={definition.agent_name} inherit underline="always" />
      </span>
    );
  }
  return (
    <Text span size="sm" style={{ overflowWrap: "anywhere" }}>
      {targetText(definition)}
    </Text>
  );
}

function OnError({ definition: { on_error } }: { readonly definition: RunHookDefinition }) {
  return (
    <Badge variant="outline" color={on_error === "block" ? "red" : "gray"} radius="sm" size="sm" tt="none">
      {on_error}
    </Badge>
  );
}

/** The columns of the list of named hooks. */
const HOOK_COLUMNS = [
  { key: "name", label: "Name", value: ({ name }) => name },
  { key: "calls", label: "Calls", value: ({ definition }) => targetText(definition) },
  { key: "on_error", label: "On error", value: ({ definition }) => definition.on_error },
  { key: "mode", label: "Mode", value: ({ definition }) => modeText(definition) },
  { key: "timeout", label: "Timeout", value: ({ definition }) => timeoutSeconds(definition) },
  { key: "users", label: "Used by", value: ({ used_by }) => used_by.length, isDescendingFirst: true },
  { key: "results", label: "Recent results", value: ({ counts }) => counts.ran, isDescendingFirst: true },
] as const satisfies readonly SortColumn<NamedHook>[];

type Definition = NamedHook["definition"];

/** `agent judge` or `POST https://…` */
function targetText(definition: Definition): string {
  return definition.type === "agent"
    ? `agent ${definition.agent_name}`
    : `${definition.method} ${definition.url}`;
}

function modeText({ mode }: Definition): string {
  return mode ?? "by type";
}

function timeoutSeconds({ timeout_seconds }: Definition): number {
  return timeout_seconds ?? DEFAULT_HOOK_SECONDS;
}
