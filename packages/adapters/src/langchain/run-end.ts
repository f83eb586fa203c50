import { AsyncLocalStorage } from "node:async_hooks";
import { IterableReadableStream } from "@langchain/core/utils/stream";
import { type Ending, endRun, findParent, type HostRun, readFailure } from "@tenterhook/engine/host";

/** One call of `invoke`, `stream` or `streamEvents` of an agent, whose end ends its runs. */
interface AgentCall {
  readonly runs: HostRun[];
  readonly signal: AbortSignal | undefined;
  /** The run whose tool called the agent. */
  readonly parent: HostRun | undefined;
}

const calls = new AsyncLocalStorage<AgentCall>();

/** Adds a run to the call that it begins in. An agent that runs inside a tool has a call of its own, or none. */
export function joinCall(run: HostRun): void {
  const call = calls.getStore();
  if (call !== undefined && call.parent === run.init.parent) call.runs.push(run);
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
  const call: AgentCall = { runs: [], signal: args[1]?.signal, parent: findParent() };
  const returned = calls.run(call, () => method(...args));
  return returned instanceof Promise
    ? orFail(call, returned).then((result) => watch(call, result))
    : watch(call, returned);
}

/** Fires the events at the end of runs that have not ended: by an error that did not pass the middleware. */
function orFail<T>(call: AgentCall, result: Promise<T>): Promise<T> {
  return result.catch(async (error: unknown) => {
    await endRuns(call, (run) => readFailure(run, error));
    throw error;
  });
}

async function endRuns({ runs, signal }: AgentCall, readEnding: (run: HostRun) => Ending): Promise<void> {
  for (const run of runs) {
    if (run.hasEnded) continue;
    run.follow(signal);
    await endRun(run, readEnding(run));
  }
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
  const output = orFail(call, stream.output);
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
  for (;;) {
    // Some streams begin the run when they are read.
    const part = await calls.run(call, () => orFail(call, stream.next()));
    if (part.done === true) return;
    let hasLeft = true;
    try {
      yield part.value;
      hasLeft = false;
    } finally {
      if (hasLeft) {
        await stream.return?.();
        await endRuns(call, () => ({ status: "stopped" }));
      }
    }
  }
}
