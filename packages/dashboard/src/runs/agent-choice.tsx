import { Select, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { queries } from "../api/queries.ts";
import { singleMatch } from "../components/single-match.ts";

interface Props {
  readonly value: string | undefined;
  readonly onChange: (agent: string | undefined) => void;
  readonly error: string | undefined;
}

/** Chooses an agent by name and description. */
export function AgentChoice({ value, onChange, error }: Props) {
  const { data: agents = [], isPending } = useQuery(queries.agents());
  const descriptions = new Map(agents.map(({ name, description }) => [name, description]));
  const names = [...descriptions.keys()];
  const [only] = names.length === 1 ? names : [];
  // biome-ignore lint/correctness/useExhaustiveDependencies: choosing again for a new `onChange` would loop
  useEffect(() => {
    if (value === undefined && only !== undefined) onChange(only);
  }, [value, only]);
  return (
    <Select
      label="Agent"
      placeholder={isPending ? "Loading…" : "Choose an agent"}
      description={(value !== undefined && descriptions.get(value)) || undefined}
      inputWrapperOrder={["label", "input", "error", "description"]}
      withAsterisk
      aria-required
      searchable
      selectFirstOptionOnChange
      onBlur={({ currentTarget }) => {
        const match = value === undefined ? singleMatch(names, currentTarget.value) : undefined;
        if (match !== undefined) onChange(match);
      }}
      // The field has the focus when the form opens, and its list would cover the form.
      openOnFocus={false}
      allowDeselect={false}
      data-autofocus={value === undefined ? true : undefined}
      nothingFoundMessage={agents.length === 0 ? "No agents yet" : "No matching agents"}
      maxDropdownHeight={360}
      data={value === undefined || names.includes(value) ? names : [value, ...names]}
      value={value ?? null}
      error={error}
      onChange={(name) => onChange(name ?? undefined)}
      renderOption={({ option }) => (
        <Stack gap={0}>
          <Text size="sm" fw={550}>
            {option.value}
          </Text>
          <Text size="xs" lineClamp={2}>
            {descriptions.get(option.value)}
          </Text>
        </Stack>
      )}
    />
  );
}
