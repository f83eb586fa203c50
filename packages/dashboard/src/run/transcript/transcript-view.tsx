import { Group, Paper } from "@mantine/core";
import { type ReactNode, useRef } from "react";
import { VirtualRows } from "../virtual-rows.tsx";
import { EntryView } from "./entry-view.tsx";
import type { TranscriptEntry } from "./transcript-entry.ts";
import { SearchField, useTranscriptSearch } from "./transcript-search.tsx";
import { useTextMarks } from "./use-text-marks.ts";

interface Props {
  readonly entries: readonly TranscriptEntry[];
  readonly label: string;
  /** Beside the search. */
  readonly actions: ReactNode;
  /** Between the search and the entries. */
  readonly notice?: ReactNode;
  /** Above an entry, within its row. */
  readonly above?: (entry: TranscriptEntry) => ReactNode;
}

/** Entries of a conversation, with a search. */
export function TranscriptView({ entries, label, actions, notice, above }: Props) {
  const search = useTranscriptSearch(entries);
  const box = useRef<HTMLDivElement>(null);
  useTextMarks(box, search.sought);
  const current = search.found[search.position];
  return (
    <>
      <Group mb="sm" gap="sm">
        <SearchField search={search} />
        {actions}
      </Group>
      {notice}
      <Paper withBorder style={{ overflow: "hidden" }} ref={box}>
        <VirtualRows
          items={entries}
          keyOf={({ id }) => id}
          label={label}
          estimate={64}
          sticksToEnd
          scrolledTo={current}
        >
          {(entry) => (
            <>
              {above?.(entry)}
              <EntryView entry={entry} sought={search.sought} isCurrent={entry === entries[current ?? -1]} />
            </>
          )}
        </VirtualRows>
      </Paper>
    </>
  );
}
