import { Button, Group, Paper, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { IconPlayerStop, IconReload, IconX } from "@tabler/icons-react";
import type { RunSummary } from "@tenterhook/protocol/runs";
import { useState } from "react";
import { useWrite } from "../api/use-write.ts";
import { countText } from "../components/count-text.ts";
import { errorMessage } from "../components/error-message.ts";
import { formatCount } from "../components/format-count.ts";
import { BulkDialog } from "./bulk-dialog.tsx";
import { BulkSummary } from "./bulk-summary.tsx";
import { MAX_READ, readAllRuns } from "./read-all-runs.ts";
import { type BulkAction, isFor } from "./run-bulk.ts";
import type { RunFilters } from "./run-filters.ts";
import classes from "./runs-table.module.css";
import { useBulk } from "./use-bulk.ts";
import type { RunCount } from "./use-run-count.ts";

interface Props {
  readonly selected: readonly RunSummary[];
  readonly filters: RunFilters;
  /** The number of rows that are loaded, and of all that match the filters. */
  readonly loaded: number;
  readonly total: RunCount;
  readonly onLoaded: () => void;
  readonly onAll: (runs: readonly RunSummary[]) => void;
  readonly onClear: () => void;
}

/** More runs than this are only retried after a confirmation. */
const MAX_UNASKED = 10;

/** Stops or retries the selected runs, and selects more. */
export function SelectionBar(props: Props) {
  const { selected, filters, loaded, total, onLoaded, onAll, onClear } = props;
  const [asked, setAsked] = useState<BulkAction>();
  const bulk = useBulk(() => {
    setAsked(undefined);
    onClear();
  });
  const runs = (action: BulkAction) => selected.filter((run) => isFor(action, run));
  const [stoppable, retryable] = [runs("stop"), runs("retry")];
  const start = (action: BulkAction) =>
    bulk.start({ action, runs: action === "stop" ? stoppable : retryable });
  return (
    <>
      {bulk.summary !== undefined && <BulkSummary summary={bulk.summary} onClose={bulk.closeSummary} />}
      {asked !== undefined && (
        <BulkDialog
          action={asked}
          count={(bulk.working?.runs ?? (asked === "stop" ? stoppable : retryable)).length}
          handled={bulk.working === undefined ? undefined : bulk.handled}
          onConfirm={() => start(asked)}
          onClose={() => setAsked(undefined)}
          onCancel={bulk.cancel}
        />
      )}
      {selected.length > 0 && (
        <Paper
          withBorder
          shadow="sm"
          px="sm"
          py="xs"
          className={classes.selection}
          role="region"
          aria-label="Selection"
        >
          <Group gap="xs">
            <Text size="sm" fw={600} role="status">
              {countText(selected.length, "run")} selected
            </Text>
            <MoreRuns
              count={selected.length}
              filters={filters}
              loaded={loaded}
              total={total}
              onLoaded={onLoaded}
              onAll={onAll}
            />
            <Button
              size="xs"
              color="red"
              variant="outline"
              disabled={stoppable.length === 0}
              leftSection={<IconPlayerStop size={16} aria-hidden />}
              onClick={() => setAsked("stop")}
            >
              Stop {formatCount(stoppable.length)}
            </Button>
            <Button
              size="xs"
              variant="default"
              disabled={retryable.length === 0}
              loading={asked === undefined && bulk.working !== undefined}
              leftSection={<IconReload size={16} aria-hidden />}
              onClick={() => (retryable.length > MAX_UNASKED ? setAsked("retry") : start("retry"))}
            >
              Retry {formatCount(retryable.length)}
            </Button>
            <Button
              size="xs"
              variant="subtle"
              color="gray"
              leftSection={<IconX size={14} aria-hidden />}
              onClick={onClear}
            >
              Clear selection
            </Button>
          </Group>
        </Paper>
      )}
    </>
  );
}

type MoreProps = Omit<Props, "selected" | "onClear"> & { readonly count: number };

/** Selects all rows that are loaded, then all runs that match the filters. */
function MoreRuns({ count, filters, loaded, total, onLoaded, onAll }: MoreProps) {
  const [found, setFound] = useState(0);
  const read = useWrite({
    mutationFn: () => {
      setFound(0);
      return readAllRuns(filters, setFound);
    },
    onSuccess: (runs) => {
      onAll(runs);
      if (runs.length < MAX_READ) return;
      notifications.show({
        color: "gray",
        title: `The newest ${countText(MAX_READ, "run")} are selected`,
        message: "Stop or retry them, then select again.",
      });
    },
    onError: (error) =>
      notifications.show({ color: "red", title: "Nothing was selected", message: errorMessage(error) }),
  });
  if (read.isPending) {
    return (
      <Text size="sm" role="status">
        Reading runs: {formatCount(found)}
      </Text>
    );
  }
  if (count < loaded) {
    return (
      <Button size="xs" variant="default" onClick={onLoaded}>
        Select all {formatCount(loaded)} loaded
      </Button>
    );
  }
  // The number of all is only known up to a limit; what was read has all of them.
  const isAll = total.more ? count >= (read.data?.length ?? Number.POSITIVE_INFINITY) : count >= total.count;
  if (isAll) return null;
  return (
    <Button size="xs" variant="default" onClick={() => read.mutate()}>
      Select all {formatCount(total.count)}
      {total.more ? "+" : ""} that match
    </Button>
  );
}
