import type { Client } from "../shape/client.ts";
import type { NativeEvent } from "../shape/events.ts";

/** How much earlier than the client gives up the bridge answers: a tenth of its patience, within these bounds. */
const MARGIN_MS = { least: 200, most: 5_000 };

/** How long after the client began to wait a call must be answered, in milliseconds. */
export function deadlineOf(client: Client, event: NativeEvent | undefined, timeoutMs?: number): number {
  const patience = timeoutMs ?? event?.timeout?.default ?? client.timeout.default;
  return patience - Math.min(MARGIN_MS.most, Math.max(MARGIN_MS.least, patience / 10));
}

/** How much of that is left. `waitingSince`: when the client began to wait, by `performance.now()`. */
export function timeLeft(deadlineMs: number, waitingSince: number | undefined): number {
  const now = performance.now();
  return Math.max(0, deadlineMs - (now - (waitingSince ?? now)));
}
