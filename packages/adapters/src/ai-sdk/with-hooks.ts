import type { Hooks } from "@tenterhook/engine";
import { hasSources } from "@tenterhook/engine/host";
import { TenterhookError } from "@tenterhook/protocol";
import type { ToolLoopAgentSettings, ToolSet } from "ai";
import {
  type AdapterOptions,
  type HookSource,
  hasHooksAlready,
  listInstalled,
  listNeeded,
  listSupported,
  noteHooks,
  readHooks,
  SupportCheck,
  warnOnce,
} from "../core/index.ts";
import { HookedSettings } from "./hooked-settings.ts";
import type { Tool, Tools } from "./sdk-types.ts";
import type { Settings, SettingsLike } from "./settings.ts";
import { support } from "./support.ts";

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
  const check = new SupportCheck(hooks, support, installed, options);
  if (installed.size === 0) return { ...settings, ...refuseLaterSources(own, hooks, check) };
  warnAboutTools(own.tools, options);
  const hooked = new HookedSettings(hooks, options, check, installed.has("before_stop"));
  return noteHooks(hooked.wrapShared(own, isCall), settings, hooks) as unknown as S;
}

/** Settings of an agent without hooks: code cannot register one later, but a source of hooks can be added, whose guards refuse the run. */
function refuseLaterSources({ prepareCall }: Settings, hooks: Hooks, check: SupportCheck): Partial<Settings> {
  const refuse = async (args: Settings) => {
    const problem = await check.findRefusal();
    if (problem !== undefined) throw new TenterhookError("turn_refused", problem);
    return prepareCall?.(args);
  };
  return { prepareCall: (args) => (hasSources(hooks) ? refuse(args) : prepareCall?.(args)) };
}

/** Tools that the provider or the client executes never reach a hook. */
function warnAboutTools(tools: Tools | undefined, { warn = warnOnce }: AdapterOptions): void {
  for (const [name, tool] of Object.entries(tools ?? {}) as readonly (readonly [string, Tool])[]) {
    if (typeof tool.execute === "function") continue;
    warn(`The tool "${name}" is not executed by the AI SDK: hooks are not called about it.`);
  }
}
