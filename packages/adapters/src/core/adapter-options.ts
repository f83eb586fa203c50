import { Hooks } from "@tenterhook/engine";
import type { HostOptions } from "@tenterhook/engine/host";
import { isThenable } from "@tenterhook/internal";
import { type EventName, TenterhookError } from "@tenterhook/protocol";

/** A set of hooks, or something that has one: the set of the file hooks. */
export type HookSource = Hooks | { readonly hooks: Hooks };

/** The set of a source. Throws for anything else: an agent without its hooks must not be built. */
export function readHooks(source: HookSource): Hooks {
  if (source instanceof Hooks) return source;
  const { hooks } = Object(source) as Partial<Exclude<HookSource, Hooks>>;
  if (hooks instanceof Hooks) return hooks;
  throw new TenterhookError("bad_agent", "the hooks of the agent are not a set of hooks.", {
    hint: isThenable(source)
      ? "It is a promise: write `await fileHooks()`."
      : "Give it what `createHooks()` returns, or `await fileHooks()`, of the @tenterhook/engine that is installed beside @tenterhook/adapters.",
  });
}

/** What an adapter may be given besides the hooks; every option has a default. */
export interface AdapterOptions extends HostOptions {
  /** `all` installs every extension point, also those that no hook needs yet. Default: those that hooks need. */
  readonly events?: "all" | undefined;
  /** Events whose hooks are not to be enforced here, where the adapter lacks the event: without this, such a hook is an error. */
  readonly ignoredEvents?: readonly EventName[] | undefined;
  /** Takes warnings. Default: a process warning, each once. */
  readonly warn?: ((message: string) => void) | undefined;
}
