import { Group, Skeleton, Stack, TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { IconSearch, IconSitemap } from "@tabler/icons-react";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useMemo, useState } from "react";
import { queries } from "../api/queries.ts";
import { AgentFilter } from "../components/agent-filter.tsx";
import { EmptyState } from "../components/empty-state.tsx";
import { MoreButton } from "../components/more-button.tsx";
import { PageHeader } from "../components/page-header.tsx";
import { ProblemState } from "../components/problem-state.tsx";
import { listFilters } from "./session-links.ts";
import { readSessionId } from "./session-rows.tsx";
import { SessionTree } from "./session-tree.tsx";
import { useGradualRows } from "./use-gradual-rows.ts";

/** All sessions, as trees. */
export function SessionsPage() {
  const search = useSearch({ from: "/sessions" });
  const filters = listFilters(search);
  const isSearch = filters.parent === undefined;
  const query = useInfiniteQuery(queries.sessions(filters));
  const { data } = query;
  const all = useMemo(() => data?.pages.flatMap((page) => page.sessions) ?? [], [data]);
  const sessions = useGradualRows(all, readSessionId);
  return (
    <>
      <PageHeader title="Sessions" />
      <Filters />
      {query.isPending && (
        <Stack gap={6} role="status" aria-label="Loading">
          {Array.from({ length: 8 }, (_, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: they are all the same
            <Skeleton key={index} h={32} />
          ))}
        </Stack>
      )}
      {query.isError && <ProblemState error={query.error} retry={() => void query.refetch()} />}
      {query.isSuccess && sessions.length === 0 && (
        <EmptyState icon={IconSitemap} title={isSearch ? "No matching sessions" : "No sessions yet"}>
          {isSearch
            ? "The search matches the beginning of a session id or of an agent name."
            : "A session is a sequence of runs of one agent. The first run creates it; hooks and chained agents have child sessions."}
        </EmptyState>
      )}
      {sessions.length > 0 && (
        <Stack>
          <SessionTree sessions={sessions} label="Sessions" showsParents={isSearch} />
          <MoreButton query={query} label="Show older" />
        </Stack>
      )}
    </>
  );
}

/** The search is sent after this pause in typing. */
const TYPING_MS = 250;

function Filters() {
  const { agent = "", search = "" } = useSearch({ from: "/sessions" });
  const navigate = useNavigate({ from: "/sessions" });
  const [text, setText] = useState(search);
  const change = (next: { agent?: string; search?: string }) =>
    void navigate({ search: (before) => ({ ...before, ...next }), replace: true });
  const changeSearch = useDebouncedCallback((next: string) => change({ search: next }), TYPING_MS);
  return (
    <Group mb="md" gap="xs" component="search">
      <TextInput
        aria-label="Search sessions"
        placeholder="Id or agent"
        leftSection={<IconSearch size={16} aria-hidden />}
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value);
          changeSearch(event.currentTarget.value);
        }}
        flex="1 1 180px"
        maw={320}
      />
      <AgentFilter value={agent} onChange={(name) => change({ agent: name })} flex="1 1 160px" maw={260} />
    </Group>
  );
}
