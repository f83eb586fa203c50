import { Badge, Card, Group, Stack, Table, Text, useMantineTheme } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { DEFAULT_HOOK_SECONDS, type NamedHook, type RunHookDefinition } from "@tenterhook/protocol/runs";
import { AgentLink } from "../components/links.tsx";
import { AnchorLink } from "../components/router-links.ts";
import { HookCharts, HookNumbers } from "./hook-charts.tsx";
import { UsedBy } from "./used-by.tsx";

interface Props {
  readonly hooks: readonly NamedHook[];
}

/** Named hooks in a table, or as cards on a small screen. */
export function HookList({ hooks }: Props) {
  const { breakpoints } = useMantineTheme();
  const isWide = useMediaQuery(`(min-width: ${breakpoints.md})`, true, { getInitialValueInEffect: false });
  return isWide ? <HookTable hooks={hooks} /> : <HookCards hooks={hooks} />;
}

function HookTable({ hooks }: Props) {
  return (
    <Table verticalSpacing="sm" highlightOnHover aria-label="Named hooks">
      <Table.Thead>
        <Table.Tr>
          <Table.Th>Name</Table.Th>
          <Table.Th>Calls</Table.Th>
          <Table.Th>On error</Table.Th>
          <Table.Th>Mode</Table.Th>
          <Table.Th ta="right">Timeout</Table.Th>
          <Table.Th>Used by</Table.Th>
          <Table.Th>Recent results</Table.Th>
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
            <Table.Td>{definition.mode ?? "by type"}</Table.Td>
            <Table.Td ta="right" style={{ whiteSpace: "nowrap" }}>
              {definition.timeout_seconds ?? DEFAULT_HOOK_SECONDS} s
            </Table.Td>
            <Table.Td maw={220}>{used_by.length === 0 ? "none" : <UsedBy users={used_by} />}</Table.Td>
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
            Timeout {definition.timeout_seconds ?? DEFAULT_HOOK_SECONDS} s, mode{" "}
            {definition.mode ?? "by type"}, used by{" "}
            {used_by.length === 0 ? "none" : <UsedBy users={used_by} />}
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
      {definition.method} {definition.url}
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
