import type { RunnerRecord } from "@tenterhook/protocol/runs";

export const STATE_WORDS = {
  online: { word: "alive", color: "green" },
  draining: { word: "draining", color: "orange" },
  gone: { word: "gone", color: "gray" },
} as const satisfies Readonly<
  Record<RunnerRecord["state"], { readonly word: string; readonly color: string }>
>;

/** What is known of the machine, in a line: `build-3 · linux · Node 20.20.0 · process 4711`. */
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

/** What the machine has that blueprints can name, by kind; kinds of which it has nothing are left out. */
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

/** How much of a runner is in use, in percent; what carries out hooks comes on top of its slots. */
export function usedPercent({
  active_runs,
  concurrency,
}: Pick<RunnerRecord, "active_runs" | "concurrency">): number {
  return concurrency === 0 ? 0 : Math.min(100, Math.round((active_runs / concurrency) * 100));
}

function text(value: unknown): string | undefined {
  return typeof value === "string" || typeof value === "number" ? String(value) : undefined;
}
