import type { HookRoom, LimitReached } from "../lifecycle/index.ts";
import type { HookRow } from "../store/rows.ts";

type Called = Pick<HookRow, "mode" | "target">;

/** How many URLs one coordinator calls at a time: of hooks that runs wait for, and of others. */
export const MAX_CALLS = { sync: 128, async: 64 } as const;
/** How many of them may be of one target: scheme, host and port. */
export const MAX_CALLS_PER_TARGET = 16;

const keyOf = ({ mode, target }: Called) => `${mode} ${target}`;

/**
 * The calls of one coordinator. Hooks that runs wait for have slots of their own, for each target too, so that an endpoint which
 * never responds delays neither a guard nor the hooks of other endpoints.
 */
export class CallSlots {
  readonly #active = new Map<string, Called & { count: number }>();

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
    const active = [...this.#active.values()];
    return {
      sync: MAX_CALLS.sync - this.#count("sync"),
      async: MAX_CALLS.async - this.#count("async"),
      perTarget: MAX_CALLS_PER_TARGET,
      active,
    };
  }

  /** Why a hook that is due cannot be called now. */
  limitOf({ mode, target }: Called): LimitReached | undefined {
    const count = this.#active.get(keyOf({ mode, target }))?.count ?? 0;
    const kind = mode === "sync" ? "hooks that runs wait for" : "hooks that no run waits for";
    if (count >= MAX_CALLS_PER_TARGET) {
      const detail = `${count} calls of its host for ${kind} are active, which is the limit`;
      return { reason: "target_limit", detail };
    }
    if (this.#count(mode) < MAX_CALLS[mode]) return undefined;
    return { reason: "call_limit", detail: `all ${MAX_CALLS[mode]} slots for ${kind} are occupied` };
  }

  /** Whether there may be a hook that cannot be called now. */
  isAnyFull(): boolean {
    return [...this.#active.values()].some((calls) => this.limitOf(calls) !== undefined);
  }

  #count(mode: Called["mode"]): number {
    return [...this.#active.values()].reduce((sum, each) => sum + (each.mode === mode ? each.count : 0), 0);
  }
}
