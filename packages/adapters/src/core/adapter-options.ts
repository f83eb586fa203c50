import { type Approver, Hooks, type HooksOptions } from "@tenterhook/engine";
import { isThenable, ownField } from "@tenterhook/internal";
import { type EventName, type Payload, TenterhookError } from "@tenterhook/protocol";

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
export interface AdapterOptions {
  /** The agent as hooks see it. Default: its name in the framework, else the framework's name. */
  readonly agent?: Partial<NonNullable<Payload<"before_agent">["agent"]>> | undefined;
  /** The session as hooks see it. Default: a new id for each run. */
  readonly sessionId?: string | undefined;
  readonly userId?: string | undefined;
  /** The folder that the agent works in, as hooks see it. Default: the process's. */
  readonly workDir?: string | undefined;
  /** Decides in this process when a hook returns `ask`. Default: the framework's own approval. */
  readonly approve?: Approver | undefined;
  /** What the program's own tools do, for matchers with `effect`: `{ bash: "Shell", save: "WriteFile" }`. */
  readonly effectsOf?: HooksOptions["effectsOf"];
  /** How often hooks may keep the agent running at its end. Default 3. */
  readonly maxHolds?: number | undefined;
  /** How often hooks may refuse an answer of the model in one run. Default 3. */
  readonly maxRefusals?: number | undefined;
  /** `all` installs every extension point, also those that no hook needs yet. Default: those that hooks need. */
  readonly events?: "all" | undefined;
  /** Events whose hooks are not to be enforced here, where the adapter lacks the event: without this, such a hook is an error. */
  readonly ignoredEvents?: readonly EventName[] | undefined;
  /** Takes warnings. Default: a process warning, each once. */
  readonly warn?: ((message: string) => void) | undefined;
}

const emitted = new Set<string>();

/** Emits a warning of the process, each text once. */
export function warnOnce(message: string): void {
  if (emitted.has(message)) return;
  emitted.add(message);
  process.emitWarning(message, "TenterhookWarning");
}

/** The model that a hook chose, of the option `models` of an adapter. */
export function findModel<Model>(models: Readonly<Record<string, Model>> = {}, name: string): Model {
  const model = ownField(models, name);
  if (model !== undefined) return model;
  const problem = `a hook chose the model "${name}", which is not known here.`;
  const hint = `Give it to the adapter, in the option models: { models: { ${JSON.stringify(name)}: … } }.`;
  throw new TenterhookError("unsupported_hook", problem, { event: "before_llm", hint });
}
