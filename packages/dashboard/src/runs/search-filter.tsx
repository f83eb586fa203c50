import { CloseButton, TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { IconSearch } from "@tabler/icons-react";
import { useState } from "react";
import { MAX_SEARCH } from "./run-filters.ts";

interface Props {
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** The request is sent when the user stops typing. */
const PAUSE_MS = 250;

/** Searches by words in parameters, results and errors, by the beginning of an id, or a part of an agent's name. */
export function SearchFilter({ value, onChange }: Props) {
  const [typed, setTyped] = useState({ text: value, value });
  const notify = useDebouncedCallback(onChange, PAUSE_MS);
  // The address changed: the user went back, or cleared all filters.
  const isReplaced = typed.value !== value && typed.text.trim() !== value;
  if (typed.value !== value) setTyped({ text: isReplaced ? value : typed.text, value });
  const change = (text: string) => {
    setTyped({ text, value });
    notify(text);
  };
  return (
    <TextInput
      type="search"
      aria-label="Search runs"
      placeholder="Words, id or agent"
      flex="1 1 200px"
      miw={0}
      maw={360}
      maxLength={MAX_SEARCH}
      leftSection={<IconSearch size={16} aria-hidden />}
      value={typed.text}
      onChange={(event) => change(event.currentTarget.value)}
      rightSection={
        typed.text === "" ? undefined : (
          <CloseButton size="sm" aria-label="Clear search" onClick={() => change("")} />
        )
      }
    />
  );
}
