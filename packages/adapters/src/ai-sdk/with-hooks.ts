import { type AroundPoint, hasSources } from "@tenterhook/engine/host";
import { BoundedMap } from "@tenterhook/internal";
import { type EventName, TenterhookError } from "@tenterhook/protocol";
import type { LanguageModelMiddleware, ToolLoopAgentSettings, ToolSet } from "ai";
import {
  type AdapterOptions,
  type AdapterSupport,
  type AgentHooks,
  checkSupport,
  type HookSource,
  hasHooksAlready,
  listInstalled,
  listNeeded,
  listSupported,
  noteHooks,
  readHooks,
} from "../core/index.ts";
import { generate, stream } from "./model.ts";
import { SdkRun } from "./sdk-run.ts";
import type { CallParams, Model, Settings, ToolOptions, Tools } from "./sdk-types.ts";
import { hookSettings } from "./settings.ts";
import { support } from "./support.ts";
import { wrapTools } from "./tools.ts";

/** Settings, all of whose fields are kept. */
interface SettingsLike {
  readonly model: unknown;
}

/** What TypeScript needs to know of settings to give `prepareCall` the types that it has without hooks. */
interface PreparedSettings<CALL_OPTIONS, TOOLS extends ToolSet> {
  readonly tools?: TOOLS;
  readonly callOptionsSchema?: ToolLoopAgentSettings<CALL_OPTIONS>["callOptionsSchema"];
  readonly prepareCall: NonNullable<ToolLoopAgentSettings<CALL_OPTIONS, TOOLS>["prepareCall"]>;
}

/**
 * The settings of a `ToolLoopAgent`, or of one call of `generateText` or `streamText`, with hooks. Throws for a hook that the AI SDK
 * cannot enforce. Give each call of `generateText` settings of its own. Settings that have these hooks already are returned as they
 * are.
 */
export function withHooks<
  S extends SettingsLike,
  CALL_OPTIONS = never,
  // biome-ignore lint/complexity/noBannedTypes: as the SDK writes it
  TOOLS extends ToolSet = {},
>(
  settings: S & PreparedSettings<CALL_OPTIONS, TOOLS>,
  source: HookSource,
  options?: AdapterOptions,
): NoInfer<S>;
export function withHooks<S extends SettingsLike>(
  settings: S,
  source: HookSource,
  options?: AdapterOptions,
): S;
export function withHooks<S extends SettingsLike>(
  settings: S,
  source: HookSource,
  options: AdapterOptions = {},
): S {
  const hooks = readHooks(source);
  if (hasHooksAlready(settings, hooks)) return settings;
  const own = settings as unknown as Settings;
  const isCall = own.prompt !== undefined || own.messages !== undefined;
  const isEmpty = !hasSources(hooks) && listNeeded(hooks, support, options).size === 0;
  // A set of hooks is used by many calls, so a hook that is registered after one of them is not an error.
  const installed = isCall
    ? listSupported(support)
    : isEmpty
      ? new Set<never>()
      : listInstalled(hooks, support, options, [["before_stop", "subagent_stop"]]);
  const agentHooks = checkSupport(hooks, support, options, installed);
  if (installed.size === 0) return { ...settings, ...refuseLaterSources(own, agentHooks) };
  warnAboutTools(own.tools, agentHooks);
  const hooked = hookSettings(
    own,
    isCall,
    installed.has("before_stop"),
    (start) => new SdkRun(agentHooks, start),
  );
  return noteHooks(hooked, settings, hooks) as unknown as S;
}

/** Settings of an agent without hooks: code cannot register one later, but a source of hooks can be added, whose guards refuse the run. */
function refuseLaterSources(
  { prepareCall }: Settings,
  { hooks, findRefusal }: AgentHooks,
): Partial<Settings> {
  const refuse = async (args: Settings) => {
    const problem = await findRefusal?.();
    if (problem !== undefined) throw new TenterhookError("turn_refused", problem);
    return prepareCall?.(args);
  };
  return { prepareCall: (args) => (hasSources(hooks) ? refuse(args) : prepareCall?.(args)) };
}

/** Tools that the provider or the client executes never reach a hook. */
function warnAboutTools(tools: Tools = {}, { warn }: AgentHooks): void {
  for (const [name, tool] of Object.entries(tools)) {
    if (typeof tool.execute === "function") continue;
    warn(`The tool "${name}" is not executed by the AI SDK: hooks are not called about it.`);
  }
}

const MODEL_EVENTS = ["before_llm", "after_llm", "on_error", "around_llm"] as const;
const TOOL_EVENTS = ["before_tool", "after_tool", "after_tool_failure", "on_error", "around_tool"] as const;

/**
 * Hooks around a model alone, for programs that wrap models themselves: `wrapLanguageModel({ model, middleware })`. Hooks on other
 * events are an error; where `hookTools` is used beside it, name the events of tools in `ignoredEvents`.
 */
export function hooksMiddleware(source: HookSource, options: AdapterOptions = {}): LanguageModelMiddleware {
  const newRun = bareRuns(source, options, MODEL_EVENTS, "hooksMiddleware of the AI SDK");
  return {
    specificationVersion: "v3",
    wrapGenerate: ({ model, params }) =>
      generate(model as unknown as Model, newRun(undefined), params as unknown as CallParams) as never,
    wrapStream: ({ model, params }) =>
      stream(model as unknown as Model, newRun(undefined), params as unknown as CallParams) as never,
  };
}

/**
 * Hooks around tools alone. A hook that asks for a person's approval does so through `needsApproval`. Hooks on other events are an
 * error; where `hooksMiddleware` is used beside it, name the events of models in `ignoredEvents`.
 */
export function hookTools<T extends ToolSet>(tools: T, source: HookSource, options: AdapterOptions = {}): T {
  const newRun = bareRuns(source, options, TOOL_EVENTS, "hookTools of the AI SDK");
  // The question whether a call needs approval and its execution belong together.
  const runs = new BoundedMap<string, SdkRun>(1_000);
  const getRun = (call: ToolOptions): SdkRun => {
    const known = runs.get(call.toolCallId);
    const isResumed =
      known !== undefined && known.answered.size === 0 && call.messages.at(-1)?.role === "tool";
    if (known !== undefined && !isResumed) return known;
    const run = newRun(call.messages);
    runs.set(call.toolCallId, run);
    return run;
  };
  return wrapTools(tools as unknown as Tools, getRun) as unknown as T;
}

function bareRuns(
  source: HookSource,
  options: AdapterOptions,
  events: readonly (EventName | AroundPoint)[],
  name: string,
) {
  const checked = checkSupport(readHooks(source), limitSupport(events, name), options, new Set(events));
  const agentHooks = { ...checked, support };
  return (messages: unknown) => new SdkRun(agentHooks, { messages, isBare: true });
}

/** The support table of one part, for its errors: to register earlier, or to ask for all events, would not help there. */
function limitSupport(events: readonly (EventName | AroundPoint)[], name: string): AdapterSupport {
  const isOwn = (event: string) => events.includes(event as EventName);
  const rows = Object.entries(support.events).map(([event, row]) => [event, isOwn(event) ? row : NOT_A_PART]);
  return {
    ...support,
    name,
    events: Object.fromEntries(rows),
    around: Object.fromEntries(Object.entries(support.around).filter(([point]) => isOwn(point))),
  };
}

const NOT_A_PART = {
  level: "none",
  effects: [],
  by: "hooksMiddleware is for events of the model, hookTools for those of tools, and withHooks for all",
} as const;
