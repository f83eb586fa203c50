import { AsyncLocalStorage } from "node:async_hooks";
import { IterableReadableStream } from "@langchain/core/utils/stream";
import { endRun, type HostRun, readFailure } from "../core/index.ts";

/** A run of the middleware, as far as its end needs it. */
interface WatchedRun {
  readonly run: HostRun;
  readonly hasBegun: boolean;
}

/** One call of `invoke`, `stream` or `streamEvents` of an agent, whose end ends its runs. */
export class AgentCall {
  readonly #runs: WatchedRun[] = [];
  readonly #signal: AbortSignal | undefined;

  constructor(signal: AbortSignal | undefined) {
    this.#signal = signal;
  }

  add(run: WatchedRun): void {
    this.#runs.push(run);
  }

  /** Runs a function, and all that it starts, in this call. */
  enter<R>(operation: () => R): R {
    return current.run(this, operation);
  }

  /** Fires the events at the end of runs that have not ended: by an error that did not pass the middleware. */
  async fail(error: unknown): Promise<void> {
    for (const { run, hasBegun } of this.#runs) {
      if (!hasBegun || run.hasEnded) continue;
      run.follow(this.#signal);
      await endRun(run, readFailure(run, error));
    }
  }

  /** The reader of a stream left before its end. */
  async stop(): Promise<void> {
    for (const { run, hasBegun } of this.#runs)
      if (hasBegun && !run.hasEnded) await endRun(run, { status: "stopped" });
  }
}

const current = new AsyncLocalStorage<AgentCall | undefined>();

/** The call that the current task belongs to. */
export function findCall(): AgentCall | undefined {
  return current.getStore();
}

/** Executes a tool: an agent that runs in there has a call of its own, or none. */
export function leaveCall<R>(operation: () => R): R {
  return current.getStore() === undefined ? operation() : current.run(undefined, operation);
}

/** The functions of an agent that run it. */
export interface LangChainAgent {
  // Any function: the agent keeps its own types.
  invoke(...args: never[]): Promise<unknown>;
  stream(...args: never[]): Promise<unknown>;
}

type Run = (state: unknown, config?: { readonly signal?: AbortSignal }, ...more: unknown[]) => unknown;

/**
 * The agent, whose runs end with `after_agent` however they end: also when another middleware throws, at the recursion limit, and for
 * an abort between two nodes. Give it the agent that `createAgent` returned, with `hooksMiddleware` in it.
 */
export function withRunEnd<A extends LangChainAgent>(agent: A): A {
  return new Proxy(agent, {
    get(target, key) {
      // Methods and getters of the agent read its private fields, which a proxy does not have.
      const value: unknown = Reflect.get(target, key, target);
      if (typeof value !== "function") return value;
      const method = value.bind(target) as Run;
      if (key === "invoke" || key === "stream" || key === "streamEvents")
        return (...args: Parameters<Run>) => runToEnd(method, args);
      return key === "withConfig"
        ? (config: unknown) => withRunEnd(method(config) as LangChainAgent)
        : method;
    },
  });
}

/** A stream or a promise of what the method returns, as it was. */
function runToEnd(method: Run, args: Parameters<Run>): unknown {
  const call = new AgentCall(args[1]?.signal);
  const returned = call.enter(() => method(...args));
  return returned instanceof Promise
    ? returned.then(
        (result: unknown) => watch(call, result),
        async (error: unknown) => {
          await call.fail(error);
          throw error;
        },
      )
    : watch(call, returned);
}

function watch(call: AgentCall, result: unknown): unknown {
  if (isRunStream(result)) return watchOutput(call, result);
  if (!(result instanceof IterableReadableStream)) return result;
  return IterableReadableStream.fromAsyncGenerator(readToEnd(call, result as AsyncIterator<unknown>));
}

/** What `streamEvents` with `version: "v3"` resolves to: it runs to its end, whether or not its parts are read. */
interface RunStream {
  readonly output: Promise<unknown>;
  readonly values: AsyncIterable<unknown> & PromiseLike<unknown>;
}

function isRunStream(result: unknown): result is RunStream {
  return (
    typeof result === "object" &&
    result !== null &&
    Symbol.asyncIterator in result &&
    "output" in result &&
    result.output instanceof Promise
  );
}

/** Ends the run when its output fails. Who awaits the output, or the final values, gets the error after the hooks. */
function watchOutput(call: AgentCall, stream: RunStream): RunStream {
  const output = stream.output.catch(async (error: unknown) => {
    await call.fail(error);
    throw error;
  });
  // A program that reads only the events gets the error there.
  output.catch(() => undefined);
  const { values } = stream;
  const watched = {
    [Symbol.asyncIterator]: () => values[Symbol.asyncIterator](),
    // biome-ignore lint/suspicious/noThenProperty: LangGraph's values are a list to iterate and a promise of the last one
    then: output.then.bind(output),
  };
  // Not a proxy: the methods of the stream read its private fields.
  return Object.defineProperties(stream, {
    output: { configurable: true, value: output },
    values: { configurable: true, value: watched },
  });
}

async function* readToEnd(call: AgentCall, stream: AsyncIterator<unknown>) {
  let hasEnded = false;
  try {
    for (;;) {
      // Some streams begin the run when they are read.
      const part = await call.enter(() => stream.next());
      if (part.done === true) break;
      yield part.value;
    }
    hasEnded = true;
  } catch (error) {
    hasEnded = true;
    await call.fail(error);
    throw error;
  } finally {
    if (!hasEnded) {
      await stream.return?.();
      await call.stop();
    }
  }
}
