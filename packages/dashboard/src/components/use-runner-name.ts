import { useQuery } from "@tanstack/react-query";
import { ownField } from "@tenterhook/internal";
import type { RunnerRecord } from "@tenterhook/protocol/runs";
import { useCallback } from "react";
import { useMay } from "../access/identity.ts";
import { queries } from "../api/queries.ts";

/** The names of runners by their ids; `undefined` for one that is no longer known. The function changes when a name does. */
export function useRunnerName(): (id: string) => string | undefined {
  const { data } = useQuery({
    ...queries.runners(),
    refetchInterval: false,
    enabled: useMay("read"),
    select: namesById,
  });
  return useCallback((id) => data && ownField(data, id), [data]);
}

/** Without their other fields, which change all the time. */
function namesById(runners: readonly RunnerRecord[]): Readonly<Record<string, string>> {
  return Object.fromEntries(runners.map(({ runner_id, name }) => [runner_id, name]));
}
