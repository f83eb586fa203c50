import type { Client } from "../../definition/client.ts";
import type { NativeEvent } from "../../definition/events.ts";

/** The bridge answers before the client's timeout: by a tenth of it, within these bounds. */
const MARGIN_MS = { least: 200, most: 5_000 };

/** The time from the client's call within which it must be answered, in milliseconds. */
export function findDeadline(client: Client, event: NativeEvent | undefined, timeoutMs?: number): number {
  const waitMs = timeoutMs ?? event?.timeout?.default ?? client.timeout.default;
  return waitMs - Math.min(MARGIN_MS.most, Math.max(MARGIN_MS.least, waitMs / 10));
}

/** How long the client has waited, in milliseconds. */
export function waitedMs(waitingSince: number | undefined): number {
  return waitingSince === undefined ? 0 : Math.round(performance.now() - waitingSince);
}

/** How much of that is left. `waitingSince`: when the client began to wait, by `performance.now()`. */
export function timeLeft(deadlineMs: number, waitingSince: number | undefined): number {
  const now = performance.now();
  return Math.max(0, deadlineMs - (now - (waitingSince ?? now)));
}
