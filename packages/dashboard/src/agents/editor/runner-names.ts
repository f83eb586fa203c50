import { useQuery } from "@tanstack/react-query";
import { queries } from "../../api/queries.ts";

/** What runners say they have, to be chosen from. Others may come, so that any name can be written. */
export function useRunnerNames() {
  const { data } = useQuery({ ...queries.runners(), refetchInterval: false });
  const infos = (data ?? []).filter(({ state }) => state !== "gone").map(({ info }) => info);
  const names = (key: string) => [...new Set(infos.flatMap((info) => wordsOf(info[key])))].sort();
  return { models: names("models"), tools: names("tools"), mcpServers: names("mcp_servers") };
}

function wordsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((word) => typeof word === "string") : [];
}
