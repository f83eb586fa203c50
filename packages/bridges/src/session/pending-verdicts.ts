import { join } from "node:path";
import { isRunning } from "@tenterhook/internal/files";
import type { EventName } from "@tenterhook/protocol";
import { type SessionFiles, shortHash } from "./session-files.ts";

/** A verdict that a process works out while the client goes on. */
interface Pending {
  readonly pid: number;
  readonly event: EventName;
  /** It is worked out by the process of a later call, which came first. */
  readonly isStandIn: boolean;
}

/** Who works a verdict out, and where that is recorded. */
interface Announced extends Pending {
  readonly nth: number;
}

/** How the wait for the verdicts of a session ended. */
export type Waited =
  | { readonly type: "settled" }
  | { readonly type: "late" | "died"; readonly events: readonly EventName[] };

const FOLDER = "verdicts";
const PAUSE_MS = 20;

/**
 * The verdicts of a session about events that its client does not wait for. The process that works one out announces it before it asks
 * any hook, and records its end; the next call that can be refused waits for that. Every fact is a file that exists or not.
 */
export class PendingVerdicts {
  readonly #files: SessionFiles;

  constructor(files: SessionFiles) {
    this.#files = files;
  }

  /**
   * Announces that this process works out the verdict about an event of an entry. `undefined`: a call that came first has done it in its
   * place.
   */
  announce(event: EventName, entry: string): number | undefined {
    for (let nth = 0; nth < 10_000; nth++) {
      if (this.#create(nth, { pid: process.pid, event, isStandIn: false })) return nth;
      const { isStandIn = false, event: its } = this.#read(nth) ?? {};
      const met = join(FOLDER, `${nth}-met-${shortHash(entry)}`);
      if (isStandIn && its === event && this.#files.create(met, "")) return undefined;
    }
    return undefined;
  }

  /** Announces a verdict about an event that has not been delivered yet. `undefined`: another process has announced one. */
  standIn(event: EventName): number | undefined {
    for (;;) {
      const announced = this.#announced();
      if (announced.some((each) => each.event === event)) return undefined;
      // Of several calls at once, one gets the number; it may also go to the event itself.
      const nth = Math.max(-1, ...announced.map((each) => each.nth)) + 1;
      if (this.#create(nth, { pid: process.pid, event, isStandIn: true })) return nth;
    }
  }

  /** The verdict is known, and what follows from it is stored. */
  settle(nth: number): void {
    this.#files.create(join(FOLDER, settledName(nth)), "");
  }

  /** Waits until every announced verdict is known, one of their processes has died, or the time is over. Rejects when the signal fires. */
  async wait(leftMs: number): Promise<Waited> {
    const until = performance.now() + leftMs;
    for (;;) {
      const dead = this.#unsettled().filter(({ pid }) => !isRunning(pid));
      // One that has ended since may have settled its verdict just before.
      const unsettled = this.#unsettled();
      if (unsettled.length === 0) return { type: "settled" };
      const died = dead.filter(({ nth }) => unsettled.some((each) => each.nth === nth));
      if (died.length > 0) {
        for (const { nth } of died) this.settle(nth);
        return { type: "died", events: listEvents(died) };
      }
      const left = until - performance.now();
      if (left <= 0) return { type: "late", events: listEvents(unsettled) };
      await new Promise((resolve) => setTimeout(resolve, Math.min(PAUSE_MS, left)));
    }
  }

  #unsettled(): readonly Announced[] {
    const names = new Set(this.#files.names(FOLDER));
    return this.#announced([...names].filter((name) => !names.has(settledName(name))));
  }

  #announced(names: readonly string[] = this.#files.names(FOLDER)): readonly Announced[] {
    return names
      .filter((name) => /^\d+$/.test(name))
      .map(Number)
      .flatMap((nth) => {
        const pending = this.#read(nth);
        return pending === undefined ? [] : [{ ...pending, nth }];
      });
  }

  #create(nth: number, pending: Pending): boolean {
    return this.#files.createWhole(join(FOLDER, String(nth)), JSON.stringify(pending));
  }

  #read(nth: number): Pending | undefined {
    const { pid, event, isStandIn } = (this.#files.read(join(FOLDER, String(nth))) ?? {}) as Partial<Pending>;
    return typeof pid === "number" && typeof event === "string"
      ? { pid, event, isStandIn: isStandIn === true }
      : undefined;
  }
}

function settledName(nth: number | string): string {
  return `${nth}-settled`;
}

function listEvents(pending: readonly Pending[]): readonly EventName[] {
  return [...new Set(pending.map(({ event }) => event))];
}
