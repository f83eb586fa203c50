import { type AdapterOptions, type HookSource, readHooks } from "../core/index.ts";
import { checkHooks, hookOptions } from "./claude-hooks.ts";
import type { ClaudeOptions, ResultMessage } from "./sdk-types.ts";
import { type Beginning, ClaudeSession, chooseSessionId } from "./session.ts";

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
  const hooks = readHooks(source);
  const check = checkHooks(hooks, adapterOptions, true);
  const run = ({ prompt, options = {}, ...others }: QueryParams) => {
    const session = new ClaudeSession(hooks, options, adapterOptions, check, true);
    const sessionId = chooseSessionId(options);
    let beginning: Promise<Beginning> | undefined;
    const hooked = hookOptions(session, withSessionId(options, sessionId), () => {
      const prepared = beginning;
      beginning = undefined;
      return prepared;
    });
    const start = async () => {
      if (typeof prompt !== "string") return query({ ...others, prompt, options: hooked });
      const { cwd = process.cwd() } = options;
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

function withSessionId(options: ClaudeOptions, sessionId: string | undefined): ClaudeOptions {
  const { resume, continue: isContinued } = options;
  // Claude Code takes a new id only for a new session.
  return sessionId === undefined || resume !== undefined || isContinued === true
    ? options
    : { ...options, sessionId };
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
