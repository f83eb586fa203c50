import type { HookCounts } from "@tenterhook/protocol/runs";
import { durationText } from "../components/durations.ts";

export interface Outcome {
  readonly state: "done" | "blocked" | "failed";
  readonly label: string;
  readonly count: number;
}

/** How often the hook passed, blocked and failed; zero counts are left out. */
export function outcomes({ ran, blocked, failed }: HookCounts): Outcome[] {
  const all: Outcome[] = [
    { state: "done", label: "passed", count: ran - blocked - failed },
    { state: "blocked", label: "blocked", count: blocked },
    { state: "failed", label: "failed", count: failed },
  ];
  return all.filter(({ count }) => count > 0);
}

export function outcomeSummary(counts: HookCounts): string {
  if (counts.ran === 0) return "has not run yet";
  const parts = outcomes(counts).map(({ count, label }) => `${count} ${label}`);
  return `ran ${counts.ran === 1 ? "once" : `${counts.ran} times`}: ${parts.join(", ")}`;
}

/** `p50 12 ms, p95 3.4 s` */
export function percentileText({ p50_ms, p95_ms }: HookCounts): string {
  if (p50_ms === null || p95_ms === null) return "";
  return `p50 ${durationText(p50_ms)}, p95 ${durationText(p95_ms)}`;
}

export interface Bar {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly state: Outcome["state"];
}

/** Keeps the shortest bars visible. */
const MIN_HEIGHT = 2;

/** The latest durations as bars from left to right, the longest as high as the chart. */
export function durationBars(
  latest: HookCounts["latest"],
  { width, height, columns }: { readonly width: number; readonly height: number; readonly columns: number },
): Bar[] {
  const longest = Math.max(1, ...latest.map(({ duration_ms }) => duration_ms));
  const step = width / columns;
  return latest.map(({ state, duration_ms }, index) => {
    const high = Math.max(MIN_HEIGHT, (duration_ms / longest) * height);
    return { x: index * step, y: height - high, width: step * 0.75, height: high, state };
  });
}

export function durationSummary({ latest }: HookCounts): string {
  if (latest.length === 0) return "no durations yet";
  const durations = latest.map(({ duration_ms }) => duration_ms);
  const count = (state: Outcome["state"]) => latest.filter((each) => each.state === state).length;
  const [shortest, longest] = [Math.min(...durations), Math.max(...durations)].map(durationText);
  return `the latest ${latest.length} took ${shortest} to ${longest}; ${count("blocked")} blocked, ${count("failed")} failed`;
}
