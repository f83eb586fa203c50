import { didYouMean } from "@tenterhook/internal";
import { TenterhookError } from "@tenterhook/protocol";
import { createHook } from "../../register/hook.ts";
import { checkKnownOptions } from "../../register/known-options.ts";
import type { NamedHookConfig, RegisteredNamedHook, RegisterOptions } from "./types.ts";

const WHENS = ["completed", "failed", "stopped", "always"];

/** The pre-hooks, or the post-hooks, by name. */
export class Registry<F> {
  readonly hooks = new Map<string, RegisteredNamedHook<F>>();
  readonly #kind: "pre-hook" | "post-hook";

  constructor(kind: "pre-hook" | "post-hook") {
    this.#kind = kind;
  }

  find(name: string): RegisteredNamedHook<F> {
    const hook = this.hooks.get(name);
    if (hook !== undefined) return hook;
    const known = [...this.hooks.keys()].join(", ");
    throw new TenterhookError("unknown_hook", `no ${this.#kind} is registered under "${name}".`, {
      hint: known === "" ? "None is registered at all." : `There are: ${known}.`,
    });
  }

  register(config: NamedHookConfig, execute: F, options: RegisterOptions = {}): void {
    const { name, blocking = true } = config ?? {};
    if (typeof name !== "string" || name === "") {
      throw new TenterhookError("bad_hook", `a ${this.#kind} needs a name.`, {
        hint: "Agents list it by that name.",
      });
    }
    if (typeof execute !== "function") {
      throw new TenterhookError("bad_hook", `the ${this.#kind} must be a function.`, { hook: name });
    }
    this.#check(config);
    checkKnownOptions(options, ["replace"], { hook: name });
    const { replace = false } = options;
    if (typeof replace !== "boolean") {
      throw new TenterhookError("bad_hook", "replace must be true or false.", { hook: name });
    }
    if (this.hooks.has(name) && !replace) {
      throw new TenterhookError("duplicate_hook", `there is a ${this.#kind} of this name already.`, {
        hook: name,
        hint: "Register it with replace: true if it is to take the place of the other one.",
      });
    }
    this.hooks.set(name, Object.freeze({ config: Object.freeze({ ...config, blocking }), execute }));
  }

  /** A misspelt `blocking` or `when` would silently change when a hook runs, or whether it ever does. */
  #check(config: NamedHookConfig): void {
    const { name: hook, blocking, when } = config;
    const isPost = this.#kind === "post-hook";
    const known = ["name", "blocking", "priority", "timeoutMs", "enforce", isPost ? "when" : "rejudge"];
    const unknown = Object.keys(config).find((key) => !known.includes(key));
    if (unknown !== undefined) {
      const hint = didYouMean(unknown, known, `Its fields are ${known.join(", ")}.`);
      throw new TenterhookError("bad_hook", `a ${this.#kind} has no field "${unknown}".`, { hook, hint });
    }
    if (blocking !== undefined && typeof blocking !== "boolean") {
      throw new TenterhookError("bad_hook", "blocking must be true or false.", { hook });
    }
    if (when !== undefined && !WHENS.includes(when)) {
      throw new TenterhookError("bad_hook", `when must be one of ${WHENS.join(", ")}.`, { hook });
    }
    // The engine would check the other fields only when an agent first runs.
    const event = isPost ? "after_agent" : "before_agent";
    createHook(event, () => undefined, hookOptions(config), { id: hook, name: hook, position: 0 });
  }
}

/** The options of the engine for a named hook. */
export function hookOptions({ name, blocking, priority, timeoutMs, rejudge, enforce }: NamedHookConfig) {
  const mode = blocking === false ? ("background" as const) : ("sync" as const);
  return { name, source: "named", mode, priority, timeoutMs, rejudge, enforce };
}
