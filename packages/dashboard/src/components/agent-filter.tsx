import { Select, type SelectProps } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { queries } from "../api/queries.ts";
import { formatNames } from "./format-names.ts";

interface Props extends Pick<SelectProps, "w" | "maw" | "flex"> {
  /** Empty for any agent. */
  readonly value: string;
  readonly onChange: (agent: string) => void;
}

/** Filters a list by one agent. */
export function AgentFilter({ value, onChange, ...size }: Props) {
  const { data: agents = [] } = useQuery(queries.agents());
  const names = agents.map(({ name }) => name);
  const options = names.map((name) => ({ value: name, label: name }));
  return (
    <Select
      aria-label="Agent"
      placeholder="Any agent"
      searchable
      clearable
      clearButtonProps={{ "aria-label": "Any agent" }}
      nothingFoundMessage="No matching agents"
      maxDropdownHeight={320}
      // The list may have runs of an agent that was deleted, or of any agent but some.
      data={
        value === "" || names.includes(value) ? options : [{ value, label: formatNames(value) }, ...options]
      }
      value={value === "" ? null : value}
      onChange={(name) => onChange(name ?? "")}
      {...size}
    />
  );
}
