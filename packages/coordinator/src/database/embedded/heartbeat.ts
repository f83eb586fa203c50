import { utimesSync } from "node:fs";
import { open } from "node:fs/promises";
import { pause, systemCode } from "@tenterhook/internal";

/** Touches a file periodically, to show that this process lives. */
export class Heartbeat {
  readonly #file: string;
  readonly #beatMs: number;
  readonly #timer: NodeJS.Timeout;
  #isLost = false;
  #last = now();

  constructor(file: string, beatMs: number) {
    this.#file = file;
    this.#beatMs = beatMs;
    this.#timer = setInterval(() => this.#beat(), beatMs);
    this.#timer.unref();
  }

  /**
   * Whether another process has removed the file, because it had seen no beat for long. Touches the file at once when the last beat
   * is some time ago: a process that was paused finds out before it does anything else.
   */
  isLost(): boolean {
    const { clock, ticks } = now();
    const silence = Math.max(clock - this.#last.clock, ticks - this.#last.ticks);
    if (silence > 3 * this.#beatMs) this.#beat();
    return this.#isLost;
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #beat(): void {
    try {
      const at = new Date();
      utimesSync(this.#file, at, at);
      this.#last = now();
    } catch (error) {
      // Other failures, such as a file server that is briefly unreachable, do not concern the claim.
      this.#isLost ||= systemCode(error) === "ENOENT";
    }
  }
}

/** The system's clock may be set back, and the other one may stand still while the machine sleeps. */
function now(): { readonly clock: number; readonly ticks: number } {
  return { clock: Date.now(), ticks: performance.now() };
}

/** Watches a file for a beat. The clocks of two machines are not compared: a beat is a change. */
export async function isBeating(file: string, staleMs: number): Promise<boolean> {
  const first = await readBeat(file);
  const until = performance.now() + staleMs;
  while (performance.now() < until) {
    await pause(Math.min(200, staleMs / 10));
    const current = await readBeat(file);
    if (current === undefined) return false;
    if (current !== first) return true;
  }
  return false;
}

async function readBeat(file: string): Promise<bigint | undefined> {
  try {
    // Opened, because network file systems answer a stat of a name from their cache.
    const handle = await open(file);
    try {
      return (await handle.stat({ bigint: true })).mtimeNs;
    } finally {
      await handle.close();
    }
  } catch (error) {
    if (systemCode(error) === "ENOENT") return undefined;
    throw error;
  }
}
