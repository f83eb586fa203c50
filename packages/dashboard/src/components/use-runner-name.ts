import { useQuery } from "@tanstack/react-query";
import { useCallback } from "react";
import { useMay } from "../access/identity.ts";
import { queries } from "../api/queries.ts";

/** The names of runners by their ids; `undefined` for one that is no longer known. */
export function useRunnerName(): (id: string) => string | undefined {
  const { data } = useQuery({ ...queries.runners(), refetchInterval: false, enabled: useMay("read") });
  return useCallback((id) => data?.find(({ runner_id }) => runner_id === id)?.name, [data]);
}
