import { ActionIcon, Group, Text, TextInput } from "@mantine/core";
import { IconChevronDown, IconChevronUp, IconSearch } from "@tabler/icons-react";
import { useDeferredValue, useMemo, useState } from "react";
import { formatCount } from "../../components/format-count.ts";
import { findEntries, searchTexts } from "./find-entries.ts";
import type { TranscriptEntry } from "./transcript-entry.ts";

const NOTHING: readonly string[] = [];

export interface TranscriptSearch {
  readonly text: string;
  readonly setText: (text: string) => void;
  /** What is searched for, in lower case. */
  readonly sought: string;
  readonly found: readonly number[];
  /** The position of the current entry among those that were found. */
  readonly position: number;
  /** Goes to another entry: 1 for the next, -1 for the previous; after the last comes the first. */
  readonly go: (by: number) => void;
}

/** Searches entries for a text. */
export function useTranscriptSearch(entries: readonly TranscriptEntry[]): TranscriptSearch {
  const [text, setText] = useState("");
  const [chosen, setChosen] = useState(0);
  // Typing stays quick with thousands of entries.
  const sought = useDeferredValue(text.trim().toLowerCase());
  const isSearching = sought !== "";
  const texts = useMemo(() => (isSearching ? searchTexts(entries) : NOTHING), [entries, isSearching]);
  const found = useMemo(() => findEntries(texts, sought), [texts, sought]);
  const position = Math.min(chosen, Math.max(0, found.length - 1));
  return {
    text,
    setText: (next) => {
      setText(next);
      setChosen(0);
    },
    sought,
    found,
    position,
    go: (by) => found.length > 0 && setChosen((position + by + found.length) % found.length),
  };
}

/** The field of the search, with the number of entries that were found. */
export function SearchField({ search }: { readonly search: TranscriptSearch }) {
  const { text, setText, sought, found, position, go } = search;
  return (
    <Group gap={6} wrap="nowrap" component="search" style={{ flex: "1 1 260px" }} maw={460}>
      <TextInput
        type="search"
        size="xs"
        aria-label="Search the transcript"
        placeholder="Search the transcript"
        leftSection={<IconSearch size={14} aria-hidden />}
        style={{ flex: 1 }}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === "Enter") go(event.shiftKey ? -1 : 1);
          if (event.key === "Escape") setText("");
        }}
      />
      <Text size="sm" role="status" style={{ whiteSpace: "nowrap" }}>
        {sought !== "" &&
          (found.length === 0 ? "Not found" : `${formatCount(position + 1)} of ${formatCount(found.length)}`)}
      </Text>
      {found.length > 1 && (
        <>
          <ActionIcon variant="default" aria-label="Previous match" onClick={() => go(-1)}>
            <IconChevronUp size={16} aria-hidden />
          </ActionIcon>
          <ActionIcon variant="default" aria-label="Next match" onClick={() => go(1)}>
            <IconChevronDown size={16} aria-hidden />
          </ActionIcon>
        </>
      )}
    </Group>
  );
}
