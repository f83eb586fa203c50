import type { ProcessGuard } from "./process-guard.ts";
import { type Program, SpareProcess } from "./spare-process.ts";

/** A spare process that is taken, and how to end its watch. */
export interface TakenProcess {
  readonly spare: SpareProcess;
  readonly unguard: (() => void) | undefined;
}

/** Keeps one process ready for the next program. */
export class SpareProcesses {
  #perl: string | undefined;
  #next: TakenProcess | undefined;

  /** `perl`: the absolute path of Perl. */
  constructor(perl: string) {
    this.#perl = perl;
  }

  /** The one that is ready; `undefined` without one, and for a program that Node must refuse. */
  take({ command, args, cwd, env }: Program): TakenProcess | undefined {
    const taken = this.#next;
    if (taken?.spare.isUsable !== true) return undefined;
    // In a message to it, a NUL is the end of a part.
    const parts = [command, cwd, ...args, ...Object.entries(env).flat()];
    if (parts.some((part) => part?.includes("\0"))) return undefined;
    this.#next = undefined;
    return taken;
  }

  /** Starts one soon, unless there is one: an agent waits for what has just ended. It never throws. */
  prepareSoon(guard: ProcessGuard | undefined): void {
    if (this.#perl !== undefined && this.#next?.spare.isUsable !== true)
      setImmediate(() => this.#prepare(guard));
  }

  #prepare(guard: ProcessGuard | undefined): void {
    if (this.#perl === undefined || this.#next?.spare.isUsable === true) return;
    guard?.expect();
    try {
      const spare = new SpareProcess(this.#perl);
      const { child } = spare;
      // Perl is gone: to try it every time takes longer than to do without.
      child.once("error", () => (this.#perl = undefined));
      if (child.pid === undefined) guard?.expectNone();
      const unguard = child.pid === undefined ? undefined : guard?.watch(child.pid);
      this.#next = { spare, unguard };
      child.once("exit", () => {
        if (this.#next?.spare === spare) unguard?.();
      });
    } catch {
      guard?.expectNone();
    }
  }
}
