import type { NativePayload } from "../normalise/native-call.ts";
import { LightSignal } from "./light-signal.ts";

/** How much earlier than the client gives up the bridge answers: a tenth of its patience, within these bounds. */
const MARGIN_MS = { least: 200, most: 5_000 };

/** How long after the client began to wait a call must be answered, in milliseconds. */
export function deadlineOf({ client, event }: NativePayload, timeoutMs: number | undefined): number {
  const patience = timeoutMs ?? event.timeout?.default ?? client.timeout.default;
  return patience - Math.min(MARGIN_MS.most, Math.max(MARGIN_MS.least, patience / 10));
}

/** What the work comes to, or what stands for it when its time is up first; the work is then told to end. */
export async function inTime<T>(
  leftMs: number,
  work: (signal: AbortSignal) => Promise<T>,
  late: () => T,
): Promise<T> {
  const signal = new LightSignal();
  let timer: NodeJS.Timeout | undefined;
  const expired = new Promise<T>((resolve) => {
    timer = setTimeout(
      () => {
        resolve(late());
        signal.abort("the client gives no more time");
      },
      Math.max(0, leftMs),
    );
  });
  try {
    return await Promise.race([work(signal.asSignal), expired]);
  } finally {
    clearTimeout(timer);
  }
}
