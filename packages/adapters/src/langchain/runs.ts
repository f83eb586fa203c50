import { randomUUID } from "node:crypto";
import type { BaseMessage } from "@langchain/core/messages";
import { AsyncLocalStorageProviderSingleton } from "@langchain/core/singletons";
import type { Hooks } from "@tenterhook/engine";
import { messageOf } from "@tenterhook/internal";
import { TenterhookError } from "@tenterhook/protocol";
import {
  type AdapterOptions,
  asParent,
  findParent,
  type HostRun,
  type SupportCheck,
  startFrameworkRun,
} from "../core/index.ts";
import { findCall, leaveCall } from "./run-end.ts";
import { LANGCHAIN_SUPPORT } from "./support.ts";
import { readUserText } from "./user-message.ts";

/** What LangChain gives to each function of a middleware, as far as it is used here. */
export interface Runtime {
  readonly configurable?: Readonly<Record<string, unknown>> | undefined;
  readonly writer?: unknown;
  readonly signal?: AbortSignal | undefined;
  readonly interrupt?: ((value: never) => unknown) | undefined;
}

/** One call of `invoke` or `stream`. A resumed run is a run of its own, because LangChain starts a new one too. */
export class AgentRun {
  readonly run: HostRun;
  /** Whether `before_agent` was fired, or the run was resumed. */
  hasBegun = false;
  /** Whether a hook refused the turn or the delegation: then there is nothing to keep running. */
  isRefused = false;
  /** The task of the graph that the current step belongs to. */
  #task: string | undefined;

  constructor(run: HostRun) {
    this.run = run;
  }

  /** Runs a part of the run, and ends the run when the task that it is in is aborted. */
  async within<T>({ signal }: Runtime, part: () => Promise<T>): Promise<T> {
    if (signal === undefined) return part();
    const unfollow = this.run.signal.follow(signal);
    try {
      return await part();
    } finally {
      unfollow();
    }
  }

  /** Whether this is the first model call of the step: a middleware outside this one may call the model again. */
  isNewStep(runtime: Runtime): boolean {
    const task = readNamespace(runtime);
    if (task !== "" && task === this.#task) return false;
    this.#task = task;
    return true;
  }

  /** Executes a tool: agents that run in there have this run as their parent. */
  asParent<T>(execute: () => T): T {
    return asParent(this.run, () => leaveCall(execute));
  }
}

/** Finds the run that a function of the middleware is called for. */
export class AgentRuns {
  readonly #hooks: Hooks;
  readonly #options: AdapterOptions;
  readonly #check: SupportCheck;
  /** By the function that writes to the run's stream, which is the same in all tasks of a run; then by the graph inside it. */
  readonly #runs = new WeakMap<object, Map<string, AgentRun>>();

  constructor(hooks: Hooks, options: AdapterOptions, check: SupportCheck) {
    this.#hooks = hooks;
    this.#options = options;
    this.#check = check;
  }

  find(runtime: Runtime, messages: readonly BaseMessage[]): AgentRun {
    const { writer } = runtime;
    if (typeof writer !== "function") {
      const problem = "LangChain gave a middleware no stream writer, so its run cannot be recognized.";
      throw new TenterhookError("bad_agent", problem, { hint: "Use hooksMiddleware in createAgent." });
    }
    const namespace = readNamespace(runtime);
    // An agent that runs inside a tool shares the writer of the agent around it.
    const graph = namespace.slice(0, Math.max(0, namespace.lastIndexOf("|")));
    const runs = this.#runs.get(writer) ?? new Map<string, AgentRun>();
    this.#runs.set(writer, runs);
    const known = runs.get(graph);
    if (known !== undefined) return known;
    const created = this.#create(runtime, messages);
    runs.set(graph, created);
    return created;
  }

  #create({ configurable }: Runtime, messages: readonly BaseMessage[]): AgentRun {
    const config = AsyncLocalStorageProviderSingleton.getRunnableConfig();
    const threadId = configurable?.thread_id;
    const agentName: unknown = config?.metadata?.lc_agent_name;
    const parent = findParent();
    const run = startFrameworkRun(this.#hooks, {
      support: LANGCHAIN_SUPPORT,
      options: this.#options,
      check: this.#check,
      ...(parent !== undefined && {
        parent,
        delegation: {
          subagentName: this.#options.agent?.name ?? (typeof agentName === "string" ? agentName : "subagent"),
          subagentId: randomUUID(),
          taskDescription: readUserText(messages),
        },
      }),
      ...(typeof agentName === "string" && { agentName }),
      ...(threadId !== undefined && { sessionId: messageOf(threadId) }),
    });
    const created = new AgentRun(run);
    findCall()?.add(created);
    return created;
  }
}

/** `tools:ID` in an agent, `tools:ID|model_request:ID` in an agent inside its tool. */
function readNamespace({ configurable }: Runtime): string {
  const namespace = configurable?.checkpoint_ns;
  return typeof namespace === "string" ? namespace : "";
}
