import { MultiSelect, SimpleGrid } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import { AgentFilter } from "../components/agent-filter.tsx";
import { TypedInput } from "../components/typed-input.tsx";
import type { EventFilters } from "./event-filters.ts";
import { EVENT_GROUPS } from "./event-groups.ts";

interface Props {
  readonly filters: EventFilters;
  readonly onChange: (change: Partial<EventFilters>) => void;
}

const TYPES = EVENT_GROUPS.map(({ group, label, types }) => ({
  group: label,
  items: [
    { value: group, label: `all: ${label.toLowerCase()}` },
    ...types.map((type) => ({ value: type, label: type })),
  ],
}));

/** The filters of the event list. */
export function EventFilterBar({ filters: { types, agent, about, text }, onChange }: Props) {
  return (
    <SimpleGrid cols={{ base: 2, lg: 4 }} spacing="xs" verticalSpacing="xs" component="search" mb="xs">
      <MultiSelect
        aria-label="Types"
        placeholder={types.length === 0 ? "Any type" : ""}
        data={TYPES}
        value={[...types]}
        onChange={(next) => onChange({ types: next })}
        searchable
        clearable
        clearButtonProps={{ "aria-label": "Any type" }}
        hidePickedOptions
        size="sm"
      />
      <AgentFilter value={agent} onChange={(name) => onChange({ agent: name })} />
      <TypedInput
        aria-label="Run or session"
        placeholder="Run or session id"
        value={about}
        onChange={(typed) => onChange({ about: typed })}
      />
      <TypedInput
        aria-label="Text"
        placeholder="Any text"
        leftSection={<IconSearch size={16} aria-hidden />}
        value={text}
        onChange={(typed) => onChange({ text: typed })}
      />
    </SimpleGrid>
  );
}
