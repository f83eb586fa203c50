import { Badge, Group, Table, Text } from "@mantine/core";
import { IconPlayerPlay } from "@tabler/icons-react";
import type { AgentSummary } from "@tenterhook/protocol/runs";
import { useMay } from "../access/identity.ts";
import { ByPerson } from "../components/by-person.tsx";
import { AgentLink } from "../components/links.tsx";
import { ButtonLink } from "../components/router-links.ts";
import type { SortColumn } from "../components/sort-rows.ts";
import { SortedList } from "../components/sorted-list.tsx";
import { Ago } from "../components/times.tsx";

/** The agents, in a table or as cards. */
export function AgentList({ agents }: { readonly agents: readonly AgentSummary[] }) {
  return (
    <SortedList
      label="Agents"
      rows={agents}
      columns={AGENT_COLUMNS}
      alignedRight={["revision"]}
      hasActions
      renderCells={(agent) => <AgentCells agent={agent} />}
      renderCard={(agent) => <AgentCard agent={agent} />}
    />
  );
}

function AgentCells({ agent }: { readonly agent: AgentSummary }) {
  return (
    <>
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
    </>
  );
}

function AgentCard({ agent }: { readonly agent: AgentSummary }) {
  return (
    <>
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
    </>
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

/** The columns of the list of agents. */
const AGENT_COLUMNS = [
  { key: "name", label: "Name", value: ({ name }) => name },
  { key: "type", label: "Type", value: ({ type }) => type },
  { key: "hooks", label: "Hooks", value: ({ hooks }) => hooks.length, isDescendingFirst: true },
  { key: "tags", label: "Tags", value: ({ tags }) => tags.join(" ") },
  { key: "revision", label: "Revision", value: ({ revision }) => revision, isDescendingFirst: true },
  {
    key: "updated",
    label: "Updated",
    value: ({ updated_at }) => Date.parse(updated_at),
    isDescendingFirst: true,
  },
] as const satisfies readonly SortColumn<AgentSummary>[];
