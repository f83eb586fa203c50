import type { AroundPoint } from "@tenterhook/engine/host";
import { BoundedMap } from "@tenterhook/internal";
import type { EventName } from "@tenterhook/protocol";
import type { LanguageModelMiddleware, ToolSet } from "ai";
import {
  type AdapterOptions,
  type AdapterSupport,
  type HookSource,
  readHooks,
  SupportCheck,
} from "../core/index.ts";
import { HookedCall } from "./hooked-call.ts";
import { wrapTools } from "./hooked-tools.ts";
import { SdkRun } from "./sdk-run.ts";
import type { CallParams, Model, ToolOptions, Tools } from "./sdk-types.ts";
import { support } from "./support.ts";

const MODEL_EVENTS = ["before_llm", "after_llm", "on_error", "around_llm"] as const;
const TOOL_EVENTS = ["before_tool", "after_tool", "after_tool_failure", "on_error", "around_tool"] as const;

/**
 * Hooks around a model alone, for programs that wrap models themselves: `wrapLanguageModel({ model, middleware })`. Hooks on other
 * events are an error; where `hookTools` is used beside it, name the events of tools in `ignoredEvents`.
 */
export function hooksMiddleware(source: HookSource, options: AdapterOptions = {}): LanguageModelMiddleware {
  const newRun = bareRuns(source, options, MODEL_EVENTS, "hooksMiddleware of the AI SDK");
  const call = (model: unknown, params: unknown) =>
    new HookedCall(model as Model, newRun(undefined), params as CallParams);
  return {
    specificationVersion: "v3",
    wrapGenerate: ({ model, params }) => call(model, params).generate() as never,
    wrapStream: ({ model, params }) => call(model, params).stream() as never,
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
  const hooks = readHooks(source);
  const check = new SupportCheck(hooks, limitSupport(events, name), new Set(events), options);
  return (messages: unknown) => new SdkRun(hooks, options, check, { messages, isBare: true });
}

/** The support table of one part, for its errors: to register earlier, or to ask for all events, would not help there. */
function limitSupport(events: readonly (EventName | AroundPoint)[], name: string): AdapterSupport {
  const isOwn = ([event]: readonly [string, unknown]) => events.includes(event as EventName);
  const others = Object.keys(support.events).map((event) => [event, NOT_A_PART] as const);
  return {
    ...support,
    name,
    events: Object.fromEntries([...others, ...Object.entries(support.events).filter(isOwn)]),
    around: Object.fromEntries(Object.entries(support.around).filter(isOwn)),
  };
}

const NOT_A_PART = {
  level: "none",
  effects: [],
  by: "hooksMiddleware is for events of the model, hookTools for those of tools, and withHooks for all",
} as const;
