import type { HookCounts } from "@tenterhook/protocol/runs";
import { durationText } from "../parts/durations.ts";

export interface Outcome {
  readonly state: "done" | "blocked" | "failed";
  readonly word: string;
  readonly count: number;
}

/** How often it passed, blocked and failed, without what never happened. */
export function outcomes({ ran, blocked, failed }: HookCounts): Outcome[] {
  const all: Outcome[] = [
    { state: "done", word: "passed", count: ran - blocked - failed },
    { state: "blocked", word: "blocked", count: blocked },
    { state: "failed", word: "failed", count: failed },
  ];
  return all.filter(({ count }) => count > 0);
}

export function outcomeWords(counts: HookCounts): string {
  if (counts.ran === 0) return "has not run yet";
  const parts = outcomes(counts).map(({ count, word }) => `${count} ${word}`);
  return `ran ${counts.ran === 1 ? "once" : `${counts.ran} times`}: ${parts.join(", ")}`;
}

/** `12 ms, in the worst twentieth 3.4 s` */
export function percentileWords({ p50_ms, p95_ms }: HookCounts): string {
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

/** So short that one could not see it would be as good as not drawn. */
const LOWEST = 2;

/** The latest durations as bars from left to right, the longest as high as the drawing. */
export function durationBars(
  latest: HookCounts["latest"],
  { width, height, places }: { readonly width: number; readonly height: number; readonly places: number },
): Bar[] {
  const longest = Math.max(1, ...latest.map(({ duration_ms }) => duration_ms));
  const step = width / places;
  return latest.map(({ state, duration_ms }, index) => {
    const high = Math.max(LOWEST, (duration_ms / longest) * height);
    return { x: index * step, y: height - high, width: step * 0.75, height: high, state };
  });
}

export function durationWords({ latest }: HookCounts): string {
  if (latest.length === 0) return "no durations yet";
  const durations = latest.map(({ duration_ms }) => duration_ms);
  const count = (state: Outcome["state"]) => latest.filter((each) => each.state === state).length;
  const [shortest, longest] = [Math.min(...durations), Math.max(...durations)].map(durationText);
  return `the latest ${latest.length} took ${shortest} to ${longest}; ${count("blocked")} blocked, ${count("failed")} failed`;
}
