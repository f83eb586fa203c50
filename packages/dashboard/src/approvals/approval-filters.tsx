import { Group, Select } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { queries } from "../api/queries.ts";

interface Chosen {
  readonly agent?: string | undefined;
  readonly hook?: string | undefined;
}

interface Props extends Chosen {
  readonly onChange: (change: Chosen) => void;
}

/** Filters by agent and hook. They offer what pending approvals have: reviewers cannot read the list of agents. */
export function ApprovalFilters({ agent, hook, onChange }: Props) {
  const { data } = useInfiniteQuery(queries.approvals({ state: "pending" }));
  const pending = data?.pages.flatMap(({ approvals }) => approvals) ?? [];
  return (
    <Group mb="sm" gap="xs" component="search">
      <Select
        {...SELECT}
        aria-label="Agent"
        placeholder="Any agent"
        clearButtonProps={{ "aria-label": "Any agent" }}
        data={listValues(
          pending.map(({ agent_name }) => agent_name),
          agent,
        )}
        value={agent ?? null}
        onChange={(name) => onChange({ agent: name ?? undefined })}
      />
      <Select
        {...SELECT}
        aria-label="Hook"
        placeholder="Any hook"
        clearButtonProps={{ "aria-label": "Any hook" }}
        data={listValues(
          pending.map(({ asked_by }) => asked_by),
          hook,
        )}
        value={hook ?? null}
        onChange={(name) => onChange({ hook: name ?? undefined })}
      />
    </Group>
  );
}

const SELECT = {
  searchable: true,
  clearable: true,
  nothingFoundMessage: "Nothing pending matches",
  flex: "1 1 140px",
  maw: 260,
} as const;

/** Each value once, sorted, with the chosen one although nothing of it may be pending. */
function listValues(values: readonly (string | null)[], chosen: string | undefined): string[] {
  const known = [...values, chosen].filter((value) => value !== null && value !== undefined);
  return [...new Set(known)].sort();
}
