import { CloseButton, TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { IconSearch } from "@tabler/icons-react";
import { useState } from "react";

interface Props {
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** The coordinator is asked when somebody stops to type. */
const PAUSE_MS = 250;

/** A search for the beginning of an id, or a part of an agent's name. */
export function SearchFilter({ value, onChange }: Props) {
  const [typed, setTyped] = useState({ text: value, value });
  const tell = useDebouncedCallback(onChange, PAUSE_MS);
  // The address has changed by itself: somebody went back, or cleared everything.
  const isOverruled = typed.value !== value && typed.text.trim() !== value;
  if (typed.value !== value) setTyped({ text: isOverruled ? value : typed.text, value });
  const change = (text: string) => {
    setTyped({ text, value });
    tell(text);
  };
  return (
    <TextInput
      type="search"
      aria-label="Search runs"
      placeholder="Run or session id, agent…"
      flex="1 1 200px"
      miw={0}
      maw={360}
      maxLength={100}
      leftSection={<IconSearch size={16} aria-hidden />}
      value={typed.text}
      onChange={(event) => change(event.currentTarget.value)}
      rightSection={
        typed.text === "" ? undefined : (
          <CloseButton size="sm" aria-label="Clear the search" onClick={() => change("")} />
        )
      }
    />
  );
}
