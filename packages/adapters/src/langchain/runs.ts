import type { BaseMessage } from "@langchain/core/messages";
import { AsyncLocalStorageProviderSingleton } from "@langchain/core/singletons";
import type { HostRun } from "@tenterhook/engine/host";
import { messageOf } from "@tenterhook/internal";
import { TenterhookError } from "@tenterhook/protocol";
import { type AgentHooks, startFrameworkRun } from "../core/index.ts";
import { readUserText } from "./messages.ts";
import { joinCall } from "./run-end.ts";

/** What LangChain gives to each function of a middleware, as far as it is used here. */
export interface Runtime {
  readonly configurable?: Readonly<Record<string, unknown>> | undefined;
  readonly writer?: unknown;
  readonly signal?: AbortSignal | undefined;
  readonly interrupt?: ((value: never) => unknown) | undefined;
}

/** One call of `invoke` or `stream`. A resumed run is a run of its own, because LangChain starts a new one too. */
export interface AgentRun {
  readonly run: HostRun;
  /** Whether `before_agent` was fired, or the run was resumed. */
  hasBegun: boolean;
  /** The task of the graph that the current step belongs to. */
  task: string | undefined;
}

/** Finds the run that a function of the middleware is called for. */
type FindRun = (runtime: Runtime, messages: readonly BaseMessage[]) => AgentRun;

/** The runs of one middleware: each begins when it is looked for first. */
export function trackRuns(agentHooks: AgentHooks): FindRun {
  // By the function that writes to the run's stream, which is the same in all tasks of a run; then by the graph inside it.
  const runs = new WeakMap<object, Map<string, AgentRun>>();
  return (runtime, messages) => {
    const { writer } = runtime;
    if (typeof writer !== "function") {
      const problem = "LangChain gave a middleware no stream writer, so its run cannot be recognized.";
      throw new TenterhookError("bad_agent", problem, { hint: "Use hooksMiddleware in createAgent." });
    }
    const namespace = readNamespace(runtime);
    // An agent that runs inside a tool shares the writer of the agent around it.
    const graph = namespace.slice(0, Math.max(0, namespace.lastIndexOf("|")));
    const graphs = runs.get(writer) ?? new Map<string, AgentRun>();
    runs.set(writer, graphs);
    let agentRun = graphs.get(graph);
    if (agentRun === undefined) {
      const run = startAgentRun(agentHooks, runtime, readUserText(messages));
      agentRun = { run, hasBegun: false, task: undefined };
      graphs.set(graph, agentRun);
      joinCall(run);
    }
    return agentRun;
  };
}

function startAgentRun(agentHooks: AgentHooks, { configurable }: Runtime, task: string): HostRun {
  const { metadata } = AsyncLocalStorageProviderSingleton.getRunnableConfig() ?? {};
  const agentName = typeof metadata?.lc_agent_name === "string" ? metadata.lc_agent_name : undefined;
  const threadId = configurable?.thread_id;
  const sessionId = threadId === undefined ? undefined : messageOf(threadId);
  return startFrameworkRun(agentHooks, { agentName, task, sessionId });
}

/** Whether this is the first model call of the step: a middleware outside this one may call the model again. */
export function isNewStep(agentRun: AgentRun, runtime: Runtime): boolean {
  const task = readNamespace(runtime);
  if (task !== "" && task === agentRun.task) return false;
  agentRun.task = task;
  return true;
}

/** `tools:ID` in an agent, `tools:ID|model_request:ID` in an agent inside its tool. */
function readNamespace({ configurable }: Runtime): string {
  const namespace = configurable?.checkpoint_ns;
  return typeof namespace === "string" ? namespace : "";
}
