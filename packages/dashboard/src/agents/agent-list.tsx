import { Badge, Card, Group, Stack, Table, Text, VisuallyHidden } from "@mantine/core";
import { IconPlayerPlay } from "@tabler/icons-react";
import type { AgentSummary } from "@tenterhook/protocol/runs";
import { useMay } from "../access/identity.ts";
import { ByPerson } from "../components/by-person.tsx";
import { AgentLink } from "../components/links.tsx";
import { ButtonLink } from "../components/router-links.ts";
import { SortableHead, SortChoice } from "../components/sort-controls.tsx";
import { Ago } from "../components/times.tsx";
import { useIsNarrow } from "../components/use-is-narrow.ts";
import { type SortControl, useSort } from "../components/use-sort.ts";
import { AGENT_COLUMNS } from "./agent-columns.ts";

interface Props {
  readonly agents: readonly AgentSummary[];
}

interface SortedProps extends Props {
  readonly control: SortControl<AgentSummary>;
}

/** Agents in a table, or as cards on a small screen. */
export function AgentList({ agents }: Props) {
  const control = useSort<AgentSummary>(AGENT_COLUMNS);
  const sorted = control.apply(agents);
  return useIsNarrow() ? (
    <>
      <SortChoice control={control} />
      <AgentCards agents={sorted} />
    </>
  ) : (
    <AgentTable agents={sorted} control={control} />
  );
}

function AgentTable({ agents, control }: SortedProps) {
  return (
    <Table verticalSpacing="sm" highlightOnHover aria-label="Agents">
      <Table.Thead>
        <Table.Tr>
          {AGENT_COLUMNS.map((column) => (
            <SortableHead
              key={column.key}
              control={control}
              column={column}
              {...(column.key === "revision" && { ta: "right" })}
            />
          ))}
          <Table.Th>
            <VisuallyHidden>Actions</VisuallyHidden>
          </Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {agents.map((agent) => (
          <Table.Tr key={agent.name}>
            <Table.Td maw={360}>
              <AgentLink name={agent.name} fw={600} />
              <Text size="sm" lineClamp={2}>
                {agent.description}
              </Text>
            </Table.Td>
            <Table.Td>
              <Text size="sm">{agent.type}</Text>
            </Table.Td>
            <Table.Td>
              <HookBadges hooks={agent.hooks} />
            </Table.Td>
            <Table.Td>
              <Tags tags={agent.tags} />
            </Table.Td>
            <Table.Td ta="right">{agent.revision}</Table.Td>
            <Table.Td maw={180}>
              <Ago time={agent.updated_at} />
              <ByPerson name={agent.updated_by} />
            </Table.Td>
            <Table.Td ta="right">
              <StartButton name={agent.name} />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}

function AgentCards({ agents }: Props) {
  return (
    <Stack gap="sm" component="ul" p={0} m={0} style={{ listStyle: "none" }} aria-label="Agents">
      {agents.map((agent) => (
        <Card key={agent.name} component="li" withBorder padding="sm">
          <Group justify="space-between" wrap="nowrap" align="flex-start">
            <div>
              <AgentLink name={agent.name} fw={600} />
              <Text size="xs">
                {agent.type}, revision {agent.revision}, <Ago time={agent.updated_at} />
                <ByPerson name={agent.updated_by} />
              </Text>
            </div>
            <StartButton name={agent.name} />
          </Group>
          <Text size="sm" mt={4}>
            {agent.description}
          </Text>
          <Group gap={4} mt={agent.hooks.length + agent.tags.length > 0 ? "xs" : 0}>
            <HookBadges hooks={agent.hooks} />
            <Tags tags={agent.tags} />
          </Group>
        </Card>
      ))}
    </Stack>
  );
}

function HookBadges({ hooks }: Pick<AgentSummary, "hooks">) {
  return (
    <Group gap={4}>
      {hooks.map((hook) => (
        <Badge
          key={hook}
          variant="outline"
          color="gray"
          radius="sm"
          size="sm"
          tt="none"
          ff="monospace"
          fw={500}
        >
          {hook}
        </Badge>
      ))}
    </Group>
  );
}

function Tags({ tags }: Pick<AgentSummary, "tags">) {
  return (
    <Group gap={4}>
      {tags.map((tag) => (
        <Badge key={tag} variant="default" radius="sm" size="sm" tt="none" fw={500}>
          {tag}
        </Badge>
      ))}
    </Group>
  );
}

function StartButton({ name }: { readonly name: string }) {
  if (!useMay("run")) return null;
  return (
    <ButtonLink
      to="/runs"
      search={{ start: name }}
      size="xs"
      variant="default"
      flex="none"
      leftSection={<IconPlayerPlay size={14} aria-hidden />}
      aria-label={`Start a run of ${name}`}
    >
      Start a run
    </ButtonLink>
  );
}
