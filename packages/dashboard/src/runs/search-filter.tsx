import { CloseButton, TextInput } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import { useTypedText } from "../components/use-typed-text.ts";
import { MAX_SEARCH } from "./run-filters.ts";

interface Props {
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** The request is sent when the user stops typing. */
const PAUSE_MS = 250;

/** Searches by words in parameters, results and errors, by the beginning of an id, or a part of an agent's name. */
export function SearchFilter({ value, onChange }: Props) {
  const { text, change } = useTypedText(value, onChange, PAUSE_MS);
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
      value={text}
      onChange={(event) => change(event.currentTarget.value)}
      rightSection={
        text === "" ? undefined : (
          <CloseButton size="sm" aria-label="Clear search" onClick={() => change("")} />
        )
      }
    />
  );
}
