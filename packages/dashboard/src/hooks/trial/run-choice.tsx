import { Autocomplete } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { call } from "../../api/call.ts";
import { exactTime } from "../../components/exact-time.ts";

/** The number of agents whose runs are offered. */
const MAX_AGENTS = 3;

interface Props {
  readonly agents: readonly string[];
  readonly value: string;
  readonly error: string | undefined;
  readonly onChange: (id: string) => void;
}

/** A past run by its id; recent runs of the agents are offered. */
export function RunChoice({ agents, value, error, onChange }: Props) {
  const { data = [] } = useQuery({
    queryKey: ["runs", "for-trials", agents.slice(0, MAX_AGENTS)],
    queryFn: async ({ signal }) => {
      const pages = await Promise.all(
        agents
          .slice(0, MAX_AGENTS)
          .map((agent) => call("GET /runs", { query: { agent, limit: 10 }, signal })),
      );
      return pages.flatMap(({ runs }) => runs);
    },
  });
  return (
    <Autocomplete
      label="Run"
      description="The id of a past run"
      placeholder="run_…"
      value={value}
      error={error}
      onChange={onChange}
      // The list would cover the button when a run is chosen.
      data={data.some(({ run_id }) => run_id === value) ? [] : data.map(({ run_id }) => run_id)}
      renderOption={({ option }) => {
        const run = data.find(({ run_id }) => run_id === option.value);
        if (run === undefined) return option.value;
        return `${option.value} · ${run.agent_name}, ${run.status}, ${exactTime(run.created_at)}`;
      }}
    />
  );
}
