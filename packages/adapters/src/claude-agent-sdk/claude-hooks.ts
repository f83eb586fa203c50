import { randomUUID } from "node:crypto";
import type { TurnStart } from "@tenterhook/engine/host";
import { type AdapterOptions, checkSupport, type HookSource, readHooks } from "../core/index.ts";
import { makeCallbacks } from "./callbacks.ts";
import type { ClaudeOptions, HookedOptions, ResultMessage } from "./sdk-types.ts";
import { ClaudeSession } from "./session.ts";
import { CALLBACKS_ALONE, CLAUDE_AGENT_SDK } from "./support.ts";
import { hookCanUseTool } from "./tool-callbacks.ts";

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
  // Every callback is installed: one without hooks costs a message between two processes, and a hook may come later.
  const agentHooks = checkSupport(readHooks(source), CALLBACKS_ALONE, adapterOptions);
  const session = new ClaudeSession(agentHooks, options, false);
  return hookOptions(session, options, () => undefined);
}

/** The SDK's `query`, or a function like it. */
// biome-ignore lint/suspicious/noExplicitAny: the parameters of any function are assignable to nothing else
export type QueryFunction = (params: any) => AsyncGenerator<unknown, void>;

interface QueryParams {
  readonly prompt: string | AsyncIterable<unknown>;
  readonly options?: ClaudeOptions;
}

/**
 * The SDK's `query` with hooks: `const run = withHooks(query, hooks)`. Besides what `claudeHooks` does, it fires `after_agent` for
 * each turn, also one that failed, and `session_end`; it carries out a changed message; and its iterator throws, after the last
 * message, when a hook stopped the run (`run_stopped`) or a stop gate was not satisfied (`gate_unsatisfied`).
 */
export function withHooks<Q extends QueryFunction>(
  query: Q,
  source: HookSource,
  adapterOptions: AdapterOptions = {},
): Q {
  const agentHooks = checkSupport(readHooks(source), CLAUDE_AGENT_SDK, adapterOptions);
  const run = ({ prompt, options: given = {}, ...others }: QueryParams) => {
    const options = nameSession(given);
    const session = new ClaudeSession(agentHooks, options, true);
    let beginning: Promise<TurnStart> | undefined;
    const hooked = hookOptions(session, options, () => {
      const prepared = beginning;
      beginning = undefined;
      return prepared;
    });
    const start = async () => {
      if (typeof prompt !== "string") return query({ ...others, prompt, options: hooked });
      const { cwd = process.cwd(), resume, sessionId = resume } = options;
      beginning = session.begin(prompt, { cwd, ...(sessionId !== undefined && { session_id: sessionId }) });
      const text = await beginning.then(
        (begun) => (begun.type === "go_on" ? begun.message : REFUSED),
        () => REFUSED,
      );
      return query({ ...others, prompt: text, options: hooked });
    };
    return queryLike(session, start());
  };
  return run as unknown as Q;
}

/** What Claude Code is given instead of a prompt that hooks refused. `UserPromptSubmit` refuses it there, also for a `/command`. */
const REFUSED = "(refused)";

/** The options with the callbacks of a session. `prepared` takes the beginning of a turn, if its prompt was known before the query. */
function hookOptions(
  session: ClaudeSession,
  options: ClaudeOptions,
  prepared: () => Promise<TurnStart> | undefined,
): ClaudeOptions {
  const { hooks: userHooks = {}, canUseTool } = options;
  const { PreToolUse = [], PostToolUse = [], ...others } = userHooks;
  const own = makeCallbacks(session, { PreToolUse, PostToolUse }, prepared);
  const hooks: NonNullable<ClaudeOptions["hooks"]> = { ...others };
  for (const [event, entries] of Object.entries(own)) hooks[event] = [...(others[event] ?? []), ...entries];
  return {
    ...options,
    hooks,
    ...(canUseTool !== undefined && { canUseTool: hookCanUseTool(session, canUseTool) }),
  };
}

/** The options with an id for a new session, so that hooks know it before Claude Code runs. */
function nameSession(options: ClaudeOptions): ClaudeOptions {
  const { sessionId, resume, continue: isContinued } = options;
  // Claude Code takes a new id only for a new session.
  const isNew = sessionId === undefined && resume === undefined && isContinued !== true;
  return isNew ? { ...options, sessionId: randomUUID() } : options;
}

/** A query whose messages pass by the session; its other methods are those of the SDK's, once that has started. */
function queryLike(session: ClaudeSession, started: Promise<AsyncGenerator<unknown, void>>) {
  // Whoever iterates gets the error.
  started.catch(() => {});
  const messages = follow(session, started);
  return new Proxy(messages, {
    get(target, key) {
      const own: unknown = Reflect.get(target, key, target);
      if (typeof own === "function") return own.bind(target);
      if (own !== undefined || typeof key === "symbol" || key === "then") return own;
      return async (...values: unknown[]) => {
        const query = (await started) as unknown as Record<string, (...values: unknown[]) => unknown>;
        return query[key]?.(...values);
      };
    },
  });
}

async function* follow(
  session: ClaudeSession,
  started: Promise<AsyncGenerator<unknown, void>>,
): AsyncGenerator<unknown, void> {
  let failure: unknown;
  try {
    for await (const message of await started) {
      const isEnd = isResult(message);
      if (isEnd) await session.endTurn(message);
      yield message;
      // The whole query ends, also one that would read further prompts.
      if (isEnd && session.stopped !== undefined) break;
    }
  } catch (error) {
    failure = error;
  } finally {
    await session.end(failure);
  }
  const error = session.stopped ?? session.error ?? failure;
  if (error !== undefined) throw error;
}

function isResult(message: unknown): message is ResultMessage {
  return (message as { readonly type?: unknown } | null)?.type === "result";
}
