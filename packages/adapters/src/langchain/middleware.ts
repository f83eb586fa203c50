import { AIMessage, type BaseMessage, HumanMessage, RemoveMessage } from "@langchain/core/messages";
import { AsyncLocalStorageProviderSingleton } from "@langchain/core/singletons";
import {
  afterStep,
  beforeStep,
  beginTurn,
  type Ending,
  endRun,
  type HostRun,
  holdAtStop,
  joinContext,
  readFailure,
  resumeTurn,
  startSubagent,
} from "@tenterhook/engine/host";
import type { EventName, Message } from "@tenterhook/protocol";
import { type AgentMiddleware, createMiddleware } from "langchain";
import { checkSupport, type HookSource, listNeeded, listSupported, readHooks } from "../core/index.ts";
import { fromMessages, readUserText, replaceUserText, toMessages } from "./messages.ts";
import { callModelWithHooks, type LangChainOptions } from "./model-call.ts";
import { type AgentRun, isNewStep, type Runtime, trackRuns } from "./runs.ts";
import { LANGCHAIN_SUPPORT } from "./support.ts";
import { callToolWithHooks, isPause } from "./tool-call.ts";

/**
 * The events that need a node of the graph. Each node is a step of LangGraph for every run, which takes as long as much of the rest of a
 * short run, so a node is only added when a hook needs it.
 */
const NODES = {
  beforeAgent: ["before_agent", "subagent_start"],
  beforeModel: ["before_step", "after_step"],
  afterAgent: ["before_stop", "after_agent", "after_step", "subagent_stop"],
} as const satisfies Record<string, readonly EventName[]>;

/**
 * Enforces a set of hooks in an agent of LangChain: `createAgent({ …, middleware: [hooksMiddleware(hooks)] })`. Put it first, so that it
 * is around all other middleware. Throws `unsupported_hook` for a hook that LangChain cannot carry.
 */
export function hooksMiddleware(source: HookSource, options: LangChainOptions = {}): AgentMiddleware {
  const hooks = readHooks(source);
  const needed = listNeeded(hooks, LANGCHAIN_SUPPORT, options);
  const hasNode = (node: keyof typeof NODES) => NODES[node].some((event) => needed.has(event));
  const installed = listSupported(LANGCHAIN_SUPPORT);
  for (const node of ["beforeAgent", "beforeModel", "afterAgent"] as const)
    if (!hasNode(node)) for (const event of NODES[node]) installed.delete(event);
  const [hasStart, hasSteps] = [hasNode("beforeAgent"), hasNode("beforeModel")];
  const find = trackRuns(checkSupport(hooks, LANGCHAIN_SUPPORT, options, installed));

  /** Runs a part of the run, whose errors end it. It also ends when the task of the graph is aborted. */
  const within = async <T>(
    runtime: unknown,
    { messages }: State,
    part: (agentRun: AgentRun) => Promise<T>,
  ) => {
    const agentRun = find(runtime as Runtime, messages);
    const { run } = agentRun;
    const { signal } = runtime as Runtime;
    const unfollow = signal === undefined ? undefined : run.signal.follow(signal);
    try {
      return await part(agentRun);
    } catch (error) {
      if (!isPause(error)) await endOrThrow(run, readFailure(run, error));
      throw error;
    } finally {
      unfollow?.();
    }
  };
  const inRun = <T>(runtime: unknown, state: State, part: (agentRun: AgentRun) => Promise<T>) =>
    within(runtime, state, async (agentRun) => {
      // A stop in a tool ends the run here, where nothing swallows it, and after all results are in the conversation.
      agentRun.run.check();
      if (!agentRun.hasBegun) await beginLate(agentRun, state.messages, hasStart);
      return part(agentRun);
    });

  return createMiddleware({
    name: "tenterhook",
    wrapModelCall: (request, handler) =>
      inRun(request.runtime, request, async (agentRun) => {
        const { run } = agentRun;
        // Without a node for steps, a step begins here.
        if (isNewStep(agentRun, request.runtime as Runtime) && !hasSteps) {
          const isSeen = run.hasHooks("before_step") || run.hasHooks("after_step");
          await beforeStep(run, isSeen ? toMessages(request.messages) : []);
        }
        return callModelWithHooks(run, options, request as never, handler as never);
      }) as never,
    wrapToolCall: (request, handler) =>
      within(request.runtime, request.state, async (agentRun) => {
        // A run whose first function is this one was resumed in the middle of a step.
        if (!agentRun.hasBegun) await resume(agentRun, request.state.messages);
        const { run } = agentRun;
        const output = await callToolWithHooks(run, request as never, handler as never);
        // LangGraph ends an aborted run by itself, and calls no other function of the middleware.
        if (run.stopped?.by === "caller") await endOrThrow(run, readFailure(run, run.stopped.error));
        return output;
      }) as never,
    ...(hasStart && {
      beforeAgent: {
        canJumpTo: ["end"],
        hook: (state, runtime) => within(runtime, state, (agentRun) => begin(agentRun, state)),
      },
    }),
    ...(hasSteps && {
      beforeModel: {
        canJumpTo: ["end"],
        hook: (state, runtime) => inRun(runtime, state, ({ run }) => beginStep(run, state.messages)),
      },
    }),
    ...(hasNode("afterAgent") && {
      afterAgent: {
        canJumpTo: ["model"],
        hook: (state, runtime) => inRun(runtime, state, ({ run }) => end(run, state, hasSteps)),
      },
    }),
  }) as AgentMiddleware;
}

interface State {
  readonly messages: BaseMessage[];
}

/** What a node changes: messages are added, or replaced by their id. */
interface Update {
  readonly messages?: BaseMessage[];
  readonly jumpTo?: "end" | "model";
}

/** `before_agent`. A refused turn ends with the reason as its answer; a failed hook fails the run. */
async function begin(agentRun: AgentRun, { messages }: State): Promise<Update | undefined> {
  const { run } = agentRun;
  const { delegation } = run.init;
  const text = readUserText(messages);
  const task = delegation === undefined ? undefined : await startSubagent(run, delegation);
  agentRun.hasBegun = true;
  const beginning = task?.type === "refused" ? task : await beginTurn(run, task?.text ?? text);
  if (beginning.type === "refused") {
    if (beginning.error.code !== "turn_refused") throw beginning.error;
    await endOrThrow(run, { status: "stopped", text: "" });
    return { messages: [new AIMessage(beginning.reason)], jumpTo: "end" };
  }
  const changed = joinContext(beginning.message, beginning.context);
  return changed === text ? undefined : { messages: [replaceUserText(messages, changed)] };
}

/** Without a node for it, a run begins with its first model call; with one, a run that has not begun was resumed. */
async function beginLate(
  agentRun: AgentRun,
  messages: readonly BaseMessage[],
  hasStart: boolean,
): Promise<void> {
  if (hasStart) return resume(agentRun, messages);
  agentRun.hasBegun = true;
  const beginning = await beginTurn(agentRun.run, readUserText(messages));
  if (beginning.type === "refused") throw beginning.error;
}

async function resume(agentRun: AgentRun, messages: readonly BaseMessage[]): Promise<void> {
  agentRun.hasBegun = true;
  await resumeTurn(agentRun.run, readUserText(messages));
}

/** LangGraph's own default. */
const DEFAULT_MAX_STEPS = 25;

/** `after_step` of the step before, and `before_step`. A skipped step counts, and the next one begins. */
async function beginStep(run: HostRun, messages: readonly BaseMessage[]): Promise<Update | undefined> {
  const seen = toMessages(messages);
  let current = await afterStep(run, seen);
  const { recursionLimit: maxSteps = DEFAULT_MAX_STEPS } =
    AsyncLocalStorageProviderSingleton.getRunnableConfig() ?? {};
  for (let skipped = 0; skipped < maxSteps; skipped++) {
    const step = await beforeStep(run, current);
    current = step.messages;
    if (step.type === "go_on") return current === seen ? undefined : { messages: replaceAll(current) };
    current = await afterStep(run, current, "skipped");
  }
  // This jump goes past afterAgent.
  await endOrThrow(run, { status: "stopped" });
  return { jumpTo: "end" };
}

/** `after_step`, `before_stop` and `after_agent`. An agent that must continue gets the reason as a user message. */
async function end(run: HostRun, { messages }: State, hasSteps: boolean): Promise<Update | undefined> {
  // A refused turn: there is nothing to keep running.
  if (run.hasEnded) return undefined;
  const text = messages.at(-1)?.text ?? "";
  const seen = toMessages(messages);
  const after = await afterStep(run, seen);
  const answer = await holdAtStop(run, text);
  const update = after === seen ? [] : replaceAll(after);
  if (answer.type === "stop") {
    await endOrThrow(run, { status: "completed", text });
    return update.length === 0 ? undefined : { messages: update };
  }
  const feedback = new HumanMessage(answer.feedback);
  if (!hasSteps) return { messages: [...update, feedback], jumpTo: "model" };
  // The jump goes past beforeModel.
  const next = await beginStep(run, [...fromMessages(after), feedback]);
  if (next?.jumpTo === "end") return { messages: [...update, feedback] };
  return { messages: next?.messages ?? [...update, feedback], jumpTo: "model" };
}

/** LangGraph's mark in a list of messages: those before it are removed. */
const REMOVE_ALL = "__remove_all__";

function replaceAll(messages: readonly Message[]): BaseMessage[] {
  return [new RemoveMessage({ id: REMOVE_ALL }), ...fromMessages(messages)];
}

async function endOrThrow(run: HostRun, ending: Ending): Promise<void> {
  const error = await endRun(run, ending);
  if (error !== undefined) throw error;
}
