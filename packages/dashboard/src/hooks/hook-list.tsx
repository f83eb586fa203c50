import { Badge, Card, Group, Stack, Table, Text } from "@mantine/core";
import type { NamedHook, RunHookDefinition } from "@tenterhook/protocol/runs";
import { AgentLink } from "../components/links.tsx";
import { AnchorLink } from "../components/router-links.ts";
import { SortableHead, SortChoice } from "../components/sort-controls.tsx";
import { useIsNarrow } from "../components/use-is-narrow.ts";
import { type SortControl, useSort } from "../components/use-sort.ts";
import { HookCharts, HookNumbers } from "./hook-charts.tsx";
import { HOOK_COLUMNS, modeText, targetText, timeoutSeconds } from "./hook-columns.ts";
import { UsedBy } from "./used-by.tsx";

interface Props {
  readonly hooks: readonly NamedHook[];
}

interface SortedProps extends Props {
  readonly control: SortControl<NamedHook>;
}

/** Named hooks in a table, or as cards on a small screen. */
export function HookList({ hooks }: Props) {
  const control = useSort<NamedHook>(HOOK_COLUMNS);
  const sorted = control.apply(hooks);
  return useIsNarrow() ? (
    <>
      <SortChoice control={control} />
      <HookCards hooks={sorted} />
    </>
  ) : (
    <HookTable hooks={sorted} control={control} />
  );
}

function HookTable({ hooks, control }: SortedProps) {
  return (
    <Table verticalSpacing="sm" highlightOnHover aria-label="Named hooks">
      <Table.Thead>
        <Table.Tr>
          {HOOK_COLUMNS.map((column) => (
            <SortableHead
              key={column.key}
              control={control}
              column={column}
              {...(column.key === "timeout" && { ta: "right" })}
            />
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {hooks.map(({ name, definition, used_by, counts }) => (
          <Table.Tr key={name}>
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
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

function HookCards({ hooks }: Props) {
  return (
    <Stack gap="sm" component="ul" p={0} m={0} style={{ listStyle: "none" }} aria-label="Named hooks">
      {hooks.map(({ name, definition, used_by, counts }) => (
        <Card key={name} component="li" withBorder padding="sm">
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
        </Card>
      ))}
    </Stack>
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
