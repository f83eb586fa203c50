import { AIMessage, type BaseMessage, HumanMessage, RemoveMessage } from "@langchain/core/messages";
import { AsyncLocalStorageProviderSingleton } from "@langchain/core/singletons";
import type { Message } from "@tenterhook/protocol";
import {
  afterStep,
  beforeStep,
  beginTurn,
  endRun,
  holdAtStop,
  joinContext,
  readFailure,
  resumeTurn,
  startSubagent,
  toError,
} from "../core/index.ts";
import { fromMessages, toMessages } from "./messages.ts";
import type { AgentRun, AgentRuns, Runtime } from "./runs.ts";
import { isPause } from "./tool-call.ts";
import { readUserText, replaceUserText } from "./user-message.ts";

/** Which nodes of the graph the middleware has. */
export interface InstalledNodes {
  readonly before: boolean;
  readonly step: boolean;
  readonly after: boolean;
}

interface State {
  readonly messages: BaseMessage[];
}

/** What a node changes: messages are added, or replaced by their id. */
interface Update {
  readonly messages?: BaseMessage[];
  readonly jumpTo?: "end" | "model";
}

/** LangGraph's mark in a list of messages: those before it are removed. */
const REMOVE_ALL = "__remove_all__";

/** LangGraph's own default. */
const DEFAULT_MAX_STEPS = 25;

/** The events around a run and its steps, in the nodes of the graph. */
export class AgentNodes {
  readonly #runs: AgentRuns;
  readonly #nodes: InstalledNodes;

  constructor(runs: AgentRuns, nodes: InstalledNodes) {
    this.#runs = runs;
    this.#nodes = nodes;
  }

  /** `before_agent`. A refused turn ends with the reason as its answer; a failed hook fails the run. */
  begin({ messages }: State, runtime: Runtime): Promise<Update | undefined> {
    return this.#within(runtime, messages, async (agentRun) => {
      const text = readUserText(messages);
      const { run } = agentRun;
      const { delegation } = run.init;
      const task =
        delegation === undefined ? ({ type: "go_on", text } as const) : await startSubagent(run, delegation);
      agentRun.hasBegun = true;
      const beginning = task.type === "refused" ? task : await beginTurn(run, task.text);
      if (beginning.type === "refused") {
        if (beginning.error.code !== "turn_refused") throw beginning.error;
        agentRun.isRefused = true;
        return { messages: [new AIMessage(beginning.reason)], jumpTo: "end" };
      }
      const changed = joinContext(beginning.message, beginning.context);
      return changed === text ? undefined : { messages: [replaceUserText(messages, changed)] };
    });
  }

  /** `after_step` of the step before, and `before_step`. */
  beginStep({ messages }: State, runtime: Runtime): Promise<Update | undefined> {
    return this.#within(runtime, messages, async (agentRun) => {
      agentRun.run.check();
      await this.#ensureBegun(agentRun, messages);
      return this.#beginStep(agentRun, messages);
    });
  }

  /** One model call. Without a node for steps, a step begins here. */
  inStep<T>(
    runtime: Runtime,
    messages: readonly BaseMessage[],
    call: (agentRun: AgentRun) => Promise<T>,
  ): Promise<T> {
    return this.#within(runtime, messages, async (agentRun) => {
      // A stop in a tool ends the run here, where nothing swallows it, and after all results are in the conversation.
      agentRun.run.check();
      await this.#ensureBegun(agentRun, messages);
      if (agentRun.isNewStep(runtime) && !this.#nodes.step) {
        const { run } = agentRun;
        const isSeen = run.hasHooks("before_step") || run.hasHooks("after_step");
        await beforeStep(run, isSeen ? toMessages(messages) : []);
      }
      return call(agentRun);
    });
  }

  /** One tool call. */
  inTool<T>(
    runtime: Runtime,
    messages: readonly BaseMessage[],
    call: (agentRun: AgentRun) => Promise<T>,
  ): Promise<T> {
    const agentRun = this.#runs.find(runtime, messages);
    return agentRun.within(runtime, async () => {
      // A run whose first function is this one was resumed in the middle of a step.
      if (!agentRun.hasBegun) await this.#resume(agentRun, messages);
      const output = await call(agentRun);
      const { run } = agentRun;
      // LangGraph ends an aborted run by itself, and calls no other function of the middleware.
      if (run.stopped?.by === "caller") await throwFailure(endRun(run, readFailure(run, run.stopped.error)));
      return output;
    });
  }

  /** `after_step`, `before_stop` and `after_agent`. An agent that must continue gets the reason as a user message. */
  end({ messages }: State, runtime: Runtime): Promise<Update | undefined> {
    return this.#within(runtime, messages, async (agentRun) => {
      const { run } = agentRun;
      run.check();
      await this.#ensureBegun(agentRun, messages);
      if (agentRun.isRefused) {
        await throwFailure(endRun(run, { status: "stopped", text: "" }));
        return undefined;
      }
      const text = messages.at(-1)?.text ?? "";
      const seen = toMessages(messages);
      const after = await afterStep(run, seen);
      const answer = await holdAtStop(run, text);
      const update = after === seen ? [] : replaceAll(after);
      if (answer.type === "stop") {
        await throwFailure(endRun(run, { status: "completed", text }));
        return update.length === 0 ? undefined : { messages: update };
      }
      const feedback = new HumanMessage(answer.feedback);
      if (!this.#nodes.step) return { messages: [...update, feedback], jumpTo: "model" };
      // The jump goes past beforeModel.
      const next = await this.#beginStep(agentRun, [...fromMessages(after), feedback]);
      if (next?.jumpTo === "end") return { messages: [...update, feedback] };
      return { messages: next?.messages ?? [...update, feedback], jumpTo: "model" };
    });
  }

  /** A skipped step counts, and the next one begins. */
  async #beginStep(agentRun: AgentRun, messages: BaseMessage[]): Promise<Update | undefined> {
    const { run } = agentRun;
    const seen = toMessages(messages);
    let current = await afterStep(run, seen);
    const maxSteps =
      AsyncLocalStorageProviderSingleton.getRunnableConfig()?.recursionLimit ?? DEFAULT_MAX_STEPS;
    for (let skipped = 0; skipped < maxSteps; skipped++) {
      const step = await beforeStep(run, current);
      current = step.messages;
      if (step.type === "go_on") return current === seen ? undefined : { messages: replaceAll(current) };
      current = await afterStep(run, current, "skipped");
    }
    // This jump goes past afterAgent.
    await throwFailure(endRun(run, { status: "stopped" }));
    return { jumpTo: "end" };
  }

  /** Runs a part of the run whose errors end it. */
  async #within<T>(
    runtime: Runtime,
    messages: readonly BaseMessage[],
    part: (agentRun: AgentRun) => Promise<T>,
  ): Promise<T> {
    const agentRun = this.#runs.find(runtime, messages);
    return agentRun.within(runtime, async () => {
      try {
        return await part(agentRun);
      } catch (error) {
        if (isPause(error)) throw error;
        const { run } = agentRun;
        await throwFailure(endRun(run, readFailure(run, toError(error))));
        throw error;
      }
    });
  }

  /** Without a node for it, the run begins with its first model call; with one, a run that has not begun was resumed. */
  async #ensureBegun(agentRun: AgentRun, messages: readonly BaseMessage[]): Promise<void> {
    if (agentRun.hasBegun) return;
    if (this.#nodes.before) return this.#resume(agentRun, messages);
    agentRun.hasBegun = true;
    const beginning = await beginTurn(agentRun.run, readUserText(messages));
    if (beginning.type === "refused") throw beginning.error;
  }

  async #resume(agentRun: AgentRun, messages: readonly BaseMessage[]): Promise<void> {
    agentRun.hasBegun = true;
    await resumeTurn(agentRun.run, readUserText(messages));
  }
}

function replaceAll(messages: readonly Message[]): BaseMessage[] {
  return [new RemoveMessage({ id: REMOVE_ALL }), ...fromMessages(messages)];
}

async function throwFailure(ending: Promise<Error | undefined>): Promise<void> {
  const error = await ending;
  if (error !== undefined) throw error;
}
