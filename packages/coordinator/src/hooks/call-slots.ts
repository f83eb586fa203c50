import type { CallLimits } from "../domain/call-limits.ts";
import type { HookRoom, LimitReached } from "../lifecycle/index.ts";
import type { HookRow } from "../store/rows.ts";

type Called = Pick<HookRow, "mode" | "target">;

/** As many calls of a target may use the last half of the slots for hooks that runs wait for. */
const FIRST_CALLS = 2;

const keyOf = ({ mode, target }: Called) => `${mode} ${target}`;

/**
 * The calls of one coordinator. Hooks that runs wait for have slots of their own, for each target too, so that an endpoint which
 * never responds delays neither a guard nor the hooks of other endpoints. Of these slots one half is for the first calls of a target:
 * a few endpoints that never respond to guards cannot occupy all of them.
 */
export class CallSlots {
  readonly #limits: CallLimits;
  readonly #active = new Map<string, Called & { count: number }>();

  constructor(limits: CallLimits) {
    this.#limits = limits;
  }

  /** Occupies a slot. Returns a function that releases it. */
  occupy({ mode, target }: Called): () => void {
    const key = keyOf({ mode, target });
    const calls = this.#active.get(key) ?? { mode, target, count: 0 };
    this.#active.set(key, calls);
    calls.count++;
    return () => {
      if (--calls.count === 0) this.#active.delete(key);
    };
  }

  room(): HookRoom {
    const { awaited, unawaited, perTarget } = this.#limits;
    const active = [...this.#active.values()];
    const count = this.#count("sync");
    return {
      sync: awaited - count,
      syncBeyondFirst: Math.max(0, this.#shared - count),
      async: unawaited - this.#count("async"),
      firstCalls: FIRST_CALLS,
      perTarget,
      active,
    };
  }

  /** Why a hook that is due cannot be called now. */
  limitOf({ mode, target }: Called): LimitReached | undefined {
    const { awaited, unawaited, perTarget } = this.#limits;
    const count = this.#active.get(keyOf({ mode, target }))?.count ?? 0;
    const [kind, slots] =
      mode === "sync" ? ["hooks that runs wait for", awaited] : ["hooks that no run waits for", unawaited];
    if (count >= perTarget) {
      const [calls, are] = count === 1 ? ["call", "is"] : ["calls", "are"];
      const detail = `${count} ${calls} of its host for ${kind} ${are} active, which is the limit`;
      return { reason: "target_limit", detail };
    }
    const active = this.#count(mode);
    if (active >= slots)
      return { reason: "call_limit", detail: `all ${slots} slots for ${kind} are occupied` };
    if (mode !== "sync" || count < FIRST_CALLS || active < this.#shared) return undefined;
    const detail = `${active} of ${slots} slots for ${kind} are occupied, and its host, which has ${count}, gets no more of the rest`;
    return { reason: "call_limit", detail };
  }

  /** Whether there may be a hook that cannot be called now. */
  isAnyFull(): boolean {
    return [...this.#active.values()].some((calls) => this.limitOf(calls) !== undefined);
  }

  /** The slots that a target may use beyond its first calls. */
  get #shared(): number {
    return Math.ceil(this.#limits.awaited / 2);
  }

  #count(mode: Called["mode"]): number {
    return [...this.#active.values()].reduce((sum, each) => sum + (each.mode === mode ? each.count : 0), 0);
  }
}
