import { tickNow, tickNumber } from "./clock.ts";
import { clearDeadline, type Deadline, type Expiring, setDeadline } from "./deadlines.ts";

/** The deadline of the hook that a sequence waits for. */
export class HookDeadline {
  #deadline: Deadline | undefined;
  #tick = -1;
  #timeoutMs = 0;
  /** When the deadline was last set, by the clock of its tick. */
  setAt = 0;

  get isSet(): boolean {
    return this.#deadline !== undefined;
  }

  /** Whether the deadline was set in this tick: then no time has passed by the tick's clock. */
  get isOfThisTick(): boolean {
    return this.#tick === tickNumber();
  }

  /** Sets the deadline of the next hook. That of the hook before it is kept when it is due at the same time. */
  set(timeoutMs: number, owner: Expiring): void {
    if (this.#deadline !== undefined && this.isOfThisTick && this.#timeoutMs === timeoutMs) return;
    this.clear();
    this.#tick = tickNumber();
    this.setAt = tickNow();
    this.#timeoutMs = timeoutMs;
    this.#deadline = setDeadline(timeoutMs, owner);
  }

  clear(): void {
    if (this.#deadline === undefined) return;
    clearDeadline(this.#deadline);
    this.#deadline = undefined;
  }

  /** The time is up, so there is nothing left to clear. */
  expired(): void {
    this.#deadline = undefined;
  }
}
