import type { Hooks } from "@tenterhook/engine";
import {
  type AdapterOptions,
  type HookSource,
  listSupported,
  readHooks,
  SupportCheck,
} from "../core/index.ts";
import { makeCallbacks } from "./callbacks.ts";
import { hookedCanUseTool } from "./permission.ts";
import type { ClaudeOptions, HookedOptions } from "./sdk-types.ts";
import { type Beginning, ClaudeSession } from "./session.ts";
import { CALLBACKS_ALONE, CLAUDE_AGENT_SDK } from "./support.ts";

/**
 * Puts hooks into the options of a query of the Claude Agent SDK: `query({ prompt, options: claudeHooks(hooks, options) })`. The
 * user's own callbacks and `canUseTool` stay. Options are for one query. Throws for a hook that the SDK cannot call, and warns of one on
 * `after_agent` or `session_end`, which only `withHooks` fires: such hooks decide nothing.
 */
export function claudeHooks(hooks: HookSource): HookedOptions;
export function claudeHooks<O extends object>(
  hooks: HookSource,
  options: O,
  adapterOptions?: AdapterOptions,
): O;
export function claudeHooks(
  source: HookSource,
  options: ClaudeOptions = {},
  adapterOptions: AdapterOptions = {},
): ClaudeOptions {
  const hooks = readHooks(source);
  const check = checkHooks(hooks, adapterOptions, false);
  const session = new ClaudeSession(hooks, options, adapterOptions, check, false);
  return hookOptions(session, options, () => undefined);
}

/** Throws for hooks that would not be called. */
export function checkHooks(hooks: Hooks, options: AdapterOptions, isHosted: boolean): SupportCheck {
  const support = isHosted ? CLAUDE_AGENT_SDK : CALLBACKS_ALONE;
  // Every callback is installed: one without hooks costs a message between two processes, and a hook may come later.
  return new SupportCheck(hooks, support, listSupported(support), options);
}

/** The options with the callbacks of a session. */
export function hookOptions(
  session: ClaudeSession,
  options: ClaudeOptions,
  prepared: () => Promise<Beginning> | undefined,
): ClaudeOptions {
  const { hooks: userHooks = {}, canUseTool } = options;
  const { PreToolUse = [], PostToolUse = [], ...others } = userHooks;
  const own = makeCallbacks(session, { PreToolUse, PostToolUse }, prepared);
  const hooks: NonNullable<ClaudeOptions["hooks"]> = { ...others };
  for (const [event, entries] of Object.entries(own)) hooks[event] = [...(others[event] ?? []), ...entries];
  return {
    ...options,
    hooks,
    ...(canUseTool !== undefined && { canUseTool: hookedCanUseTool(session, canUseTool) }),
  };
}
