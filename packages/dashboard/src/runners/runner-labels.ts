import type { RunnerRecord } from "@tenterhook/protocol/runs";

export const STATE_LABELS = {
  online: { label: "online", color: "green" },
  draining: { label: "draining", color: "orange" },
  gone: { label: "offline", color: "gray" },
} as const satisfies Readonly<
  Record<RunnerRecord["state"], { readonly label: string; readonly color: string }>
>;

/** The machine of a runner, as `build-3 · linux · Node 20.20.0 · process 4711`. */
export function machineText(info: RunnerRecord["info"]): string {
  const { host, platform, node, pid, version } = info;
  return [
    text(host),
    text(platform),
    version === undefined ? undefined : `Tenterhook ${text(version)}`,
    node === undefined ? undefined : `Node ${text(node)?.replace(/^v/, "")}`,
    pid === undefined ? undefined : `process ${text(pid)}`,
  ]
    .filter((part) => part !== undefined)
    .join(" · ");
}

/** What the runner provides to blueprints, by kind; empty kinds are left out. */
export function offersOf(
  info: RunnerRecord["info"],
): readonly (readonly [kind: string, names: readonly string[]])[] {
  return (
    [
      ["models", info.models],
      ["tools", info.tools],
      ["MCP servers", info.mcp_servers],
    ] as const
  ).flatMap(([kind, names]) =>
    Array.isArray(names) && names.length > 0 ? [[kind, names.map(String)] as const] : [],
  );
}

/** The share of used slots in percent; hook runs need no slot. */
export function usedPercent({
  active_runs,
  concurrency,
}: Pick<RunnerRecord, "active_runs" | "concurrency">): number {
  return concurrency === 0 ? 0 : Math.min(100, Math.round((active_runs / concurrency) * 100));
}

function text(value: unknown): string | undefined {
  return typeof value === "string" || typeof value === "number" ? String(value) : undefined;
}
