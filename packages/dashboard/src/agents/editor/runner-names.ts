import { useQuery } from "@tanstack/react-query";
import { queries } from "../../api/queries.ts";

/** Names that connected runners report, as suggestions. Other names are allowed: a runner with them may connect later. */
export function useRunnerNames() {
  const { data } = useQuery({ ...queries.runners(), refetchInterval: false });
  const infos = (data ?? []).filter(({ state }) => state !== "gone").map(({ info }) => info);
  const names = (key: string) => [...new Set(infos.flatMap((info) => readStrings(info[key])))].sort();
  return { models: names("models"), tools: names("tools"), mcpServers: names("mcp_servers") };
}

function readStrings(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}
