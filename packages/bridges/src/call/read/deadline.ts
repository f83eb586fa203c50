import type { Client } from "../../definition/client.ts";
import type { NativeEvent } from "../../definition/events.ts";

/** The bridge answers before the client's timeout: by a tenth of it, within these bounds. */
const MARGIN_MS = { least: 200, most: 5_000 };

/** The time from the client's call within which it must be answered, in milliseconds. */
export function findDeadline(client: Client, event: NativeEvent | undefined, timeoutMs?: number): number {
  const waitMs = timeoutMs ?? event?.timeout?.default ?? client.timeout.default;
  return waitMs - Math.min(MARGIN_MS.most, Math.max(MARGIN_MS.least, waitMs / 10));
}
