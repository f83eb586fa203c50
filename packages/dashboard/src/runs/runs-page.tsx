import { Box, Button, Group, Skeleton, Text, VisuallyHidden } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useMay } from "../access/identity.ts";
import { countText } from "../components/count-text.ts";
import { PageHeader } from "../components/page-header.tsx";
import { ProblemState } from "../components/problem-state.tsx";
import { MoreDemos } from "../demos/more-demos.tsx";
import { ColumnMenu } from "./column-menu.tsx";
import { CountedNote } from "./counted-note.tsx";
import { FilterBar } from "./filter-bar.tsx";
import { ListMenu } from "./list-menu.tsx";
import { NoRuns } from "./no-runs.tsx";
import {
  countFilters,
  type FilterChange,
  NO_FILTERS,
  type RunFilters,
  readFilters,
  writeFilters,
} from "./run-filters.ts";
import { RunsTable } from "./runs-table.tsx";
import { SelectionBar } from "./selection-bar.tsx";
import { StartRunDrawer } from "./start-run-drawer.tsx";
import { useRunColumns } from "./use-run-columns.ts";
import { useRunCount } from "./use-run-count.ts";
import { useRunRows } from "./use-run-rows.ts";
import { useSelection } from "./use-selection.ts";

/** In the address: the form is open without an agent. No agent can have this name. */
const ANY_AGENT = "-";

/** With more runs than this, the demos have been seen. */
const MAX_WITH_DEMOS = 10;

/** The list of runs, live. All filters are in the address. */
export function RunsPage() {
  const search = useSearch({ from: "/runs" });
  const navigate = useNavigate({ from: "/runs" });
  const mayRun = useMay("run");
  const filters = readFilters(search);
  const { query, rows, listName, dropOldRows } = useRunRows(filters);

  const isSearch = filters.search.trim() !== "";
  const shown = useRunColumns(rows, isSearch);
  const selection = useSelection(rows, JSON.stringify(filters));
  const total = useRunCount(filters, rows.length, query.hasNextPage);
  // From the address as it is now, not as it was rendered: two changes may be faster than a render.
  const go = (change: FilterChange, start: string | undefined, replace = false) =>
    void navigate({
      search: (before) => ({ ...writeFilters(change(readFilters(before))), start }),
      replace,
      resetScroll: false,
    });
  const startOne = () => go(unchanged, ANY_AGENT);
  const clear = () => go(() => NO_FILTERS, undefined);
  const isNew = rows.length > 0 && rows.length <= MAX_WITH_DEMOS && !query.hasNextPage;

  return (
    <>
      <PageHeader
        title="Runs"
        beside={
          query.data !== undefined && (
            <Text
              size="sm"
              c="dimmed"
              title={query.hasNextPage ? "More are loaded as you scroll" : undefined}
            >
              {countText(total.count, "run", { isMore: total.more })}
            </Text>
          )
        }
      >
        {rows.length > 0 && <ColumnMenu {...shown} />}
        <ListMenu filters={filters} />
        {mayRun && (
          <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={startOne}>
            Start a run
          </Button>
        )}
      </PageHeader>
      <FilterBar filters={filters} onChange={(change, isTyping) => go(change, undefined, isTyping)} />
      <CountedNote filters={filters} />
      {query.data === undefined && query.error !== null ? (
        <ProblemState error={query.error} retry={() => void query.refetch()} />
      ) : query.data === undefined ? (
        <RunSkeletons count={8} label="Loading runs" />
      ) : rows.length === 0 && !query.hasNextPage && !query.isPlaceholderData ? (
        <NoRuns filters={filters} onClear={clear} onStart={mayRun ? startOne : undefined} />
      ) : (
        <RunsTable
          rows={rows}
          shown={shown}
          isSearch={isSearch}
          listName={listName}
          hasMore={query.hasNextPage}
          onEnd={() => void query.fetchNextPage({ cancelRefetch: false })}
          onTop={dropOldRows}
          selected={selection.ids}
          onSelect={mayRun ? selection.select : undefined}
          onSelectAll={selection.selectAll}
        >
          {query.isFetchNextPageError ? (
            <ProblemState error={query.error} retry={() => void query.fetchNextPage()} />
          ) : (
            query.hasNextPage && <RunSkeletons count={3} label="Loading more runs" />
          )}
        </RunsTable>
      )}
      {mayRun && isNew && countFilters(filters) === 0 && <MoreDemos />}
      <SelectionBar
        selected={selection.runs}
        filters={filters}
        loaded={rows.length}
        total={total}
        onLoaded={() => selection.selectAll(true)}
        onAll={selection.replace}
        onClear={() => selection.selectAll(false)}
      />
      {mayRun && (
        <StartRunDrawer
          isOpen={search.start !== undefined}
          agent={search.start === ANY_AGENT ? undefined : search.start}
          onAgent={(agent) => go(unchanged, agent ?? ANY_AGENT, true)}
          onClose={() => go(unchanged, undefined, true)}
        />
      )}
    </>
  );
}

const unchanged = (filters: RunFilters) => filters;

const WIDTHS = [180, 140, 210, 160] as const;

/** Placeholders while runs are loading. */
function RunSkeletons({ count, label }: { readonly count: number; readonly label: string }) {
  return (
    <Box role="status">
      <VisuallyHidden>{label}</VisuallyHidden>
      {Array.from({ length: count }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all the same
        <Group key={index} h={42} px="sm" gap="xl" wrap="nowrap" aria-hidden>
          <Skeleton h={18} w={84} />
          <Skeleton h={12} w={WIDTHS[index % WIDTHS.length] ?? 160} />
          <Skeleton h={12} w={120} ml="auto" visibleFrom="sm" />
          <Skeleton h={12} w={70} />
        </Group>
      ))}
    </Box>
  );
}
