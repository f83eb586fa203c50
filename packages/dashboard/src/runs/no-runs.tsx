import { Button, Text } from "@mantine/core";
import { IconFilterOff, IconSearchOff } from "@tabler/icons-react";
import { EmptyState } from "../components/empty-state.tsx";
import { FirstRun } from "../demos/first-run.tsx";
import { countFilters, type RunFilters } from "./run-filters.ts";

interface Props {
  readonly filters: RunFilters;
  readonly onClear: () => void;
  /** `undefined` without the permission to start runs. */
  readonly onStart: (() => void) | undefined;
}

/** Shown when there are no runs, or none that match the filters. */
export function NoRuns({ filters, onClear, onStart }: Props) {
  const words = filters.search.trim();
  if (words !== "") {
    const isOnly = countFilters(filters) === 1;
    return (
      <EmptyState
        icon={IconSearchOff}
        title={`No runs contain “${words.length > 60 ? `${words.slice(0, 60)}…` : words}”`}
      >
        <Text size="sm" mb="md">
          The search covers words and their beginnings in parameters, results and errors, the beginning of an
          id, and agent names{isOnly ? "" : ", within the other filters"}. Runs of hooks and chains are left
          out unless they are switched on.
        </Text>
        <Button variant="default" onClick={onClear}>
          {isOnly ? "Clear the search" : "Clear search and filters"}
        </Button>
      </EmptyState>
    );
  }
  if (countFilters(filters) > 0) {
    return (
      <EmptyState icon={IconFilterOff} title="No matching runs">
        <Text size="sm" mb="md">
          Matching runs appear here automatically.
        </Text>
        <Button variant="default" onClick={onClear}>
          Clear filters
        </Button>
      </EmptyState>
    );
  }
  return <FirstRun onStart={onStart} />;
}
