import type * as sdk from "@strands-agents/sdk";
import { mayHaveHooks } from "@tenterhook/engine/host";
import {
  beginTurn,
  type Ending,
  endRun,
  joinContext,
  mayHaveAny,
  readFailure,
  startFrameworkRun,
  startSession,
} from "../core/index.ts";
import { recordHooks } from "./installed-hooks.ts";
import { type AgentParts, Invocation } from "./invocation.ts";
import { forgetReading, hasToolResults, hasToolUses, readText, readToolUses } from "./messages.ts";
import { callModelWithHooks, concernsModelCall, formatStop, replaceAnswers } from "./model-stage.ts";
import { beginStep, endStep } from "./steps.ts";
import { strandsSupport } from "./support.ts";
import { callToolWithHooks, concernsToolCall, executeTool } from "./tool-stage.ts";
import { forgetTurn, isRefused, readEnding, readInputs, replaceInputs } from "./turn.ts";

/** Installs the hooks on an agent; returns the function that removes them. */
export function installHooks(parts: AgentParts): () => void {
  const { agent, sdk: sdkModule, hooks } = parts;
  const { SDK_FIRST: order, SDK_LAST } = sdkModule.HookOrder;
  const hooked = new HookedAgent(parts);
  const undo = [
    recordHooks(agent, hooks),
    agent.addHook(sdkModule.InitializedEvent, () => hooked.startSession()),
    agent.addHook(sdkModule.BeforeInvocationEvent, () => hooked.beginTurn(), { order }),
    agent.addHook(sdkModule.MessageAddedEvent, ({ message }) => hooked.addMessage(message), { order }),
    agent.addHook(sdkModule.BeforeModelCallEvent, () => hooked.beforeModelCall(), { order }),
    agent.addHook(sdkModule.AfterModelCallEvent, (event) => hooked.afterModelCall(event)),
    agent.addHook(sdkModule.BeforeToolCallEvent, (event) => hooked.beforeToolCall(event)),
    agent.addHook(sdkModule.InterruptEvent, () => hooked.pause()),
    // After the other plugins, one of which may ask for another turn.
    agent.addHook(sdkModule.AfterInvocationEvent, (event) => hooked.endTurn(event), { order: SDK_LAST }),
    agent.addHook(sdkModule.AgentResultEvent, ({ result }) => hooked.finish(result.traces), { order }),
    agent.addMiddleware(sdkModule.InvokeModelStage, (context, next) => hooked.callModel(context, next)),
    agent.addMiddleware(sdkModule.ExecuteToolStage, (context, next) => hooked.callTool(context, next)),
  ];
  return () => {
    for (const remove of undo) remove();
  };
}

/** The tool by which Strands gets structured output; its result ends the turn. */
const STRUCTURED_OUTPUT = "strands_structured_output";

/** What Strands' callbacks of one agent do. */
class HookedAgent {
  readonly #parts: AgentParts;
  readonly #agent: sdk.LocalAgent;
  /** The current run, or the last one: a tool in the background may outlive its run. */
  #invocation: Invocation | undefined;
  #isRunning = false;
  #sessionContext: readonly string[] = [];

  constructor(parts: AgentParts) {
    this.#parts = parts;
    this.#agent = parts.agent;
  }

  /** `session_start`, before the first run. A refused session rejects that run; the next one asks again. */
  async startSession(): Promise<void> {
    const { hooks, options } = this.#parts;
    if (!mayHaveHooks(hooks, "session_start")) return;
    const { sessionId, name: agentName, model } = this.#agent;
    const run = startFrameworkRun(hooks, { support: strandsSupport, options, agentName, sessionId });
    const { modelId } = model;
    const start = await startSession(run, {
      source: "startup",
      ...(modelId !== undefined && { model: modelId }),
    });
    // Of a run that has not begun no event is fired.
    await endRun(run, { status: "completed" });
    if (start.type === "refused") throw start.error;
    this.#sessionContext = start.context;
  }

  beginTurn(): void {
    const isContinued = this.#isRunning && (this.#invocation?.isHeld || this.#invocation?.isPaused);
    if (!isContinued)
      this.#invocation = mayHaveAny(this.#parts.hooks) ? new Invocation(this.#parts) : undefined;
    this.#isRunning = true;
    this.#invocation?.beginTurn();
  }

  addMessage(message: sdk.Message): void | Promise<void> {
    const invocation = this.#invocation;
    // A call of a tool by the program itself adds messages too.
    if (invocation === undefined || !this.#isRunning) return;
    if (message.role === "user" && !hasToolResults(message)) {
      if (!invocation.hasBegun) invocation.inputs.push(message);
      return;
    }
    if (message.role === "assistant") {
      if (hasToolUses(message)) {
        invocation.hasStructuredOutput = readToolUses(message).some(({ name }) => name === STRUCTURED_OUTPUT);
        return;
      }
      invocation.answer = message;
      // Strands says that the user cancelled the run; it was a hook.
      if (invocation.run.stopped?.by === "hook") {
        const { TextBlock } = this.#parts.sdk;
        message.content.splice(0, message.content.length, new TextBlock(formatStop(invocation.run)));
        forgetReading(message);
      }
    }
    return endStep(this.#parts, invocation);
  }

  /** `before_agent` and `before_step`. A stop is carried out by the model call, which follows. */
  async beforeModelCall(): Promise<void> {
    const invocation = this.#invocation;
    if (invocation === undefined) return;
    invocation.modelError = undefined;
    if (invocation.run.stopped !== undefined) return;
    // It was refused: for Strands, an error at a tool call is a result of the tool.
    if (invocation.resuming !== undefined) return invocation.resuming;
    return this.#begin(invocation);
  }

  afterModelCall({ error, stopData }: sdk.AfterModelCallEvent): void {
    const invocation = this.#invocation;
    if (invocation === undefined) return;
    const { run } = invocation;
    invocation.modelError = error;
    const message = stopData?.message;
    // The model call has recorded it, if it had hooks.
    if (message === undefined || run.steps.hasAnswer) return;
    run.steps.recordAnswer(readText(message), readToolUses(message));
  }

  beforeToolCall(event: sdk.BeforeToolCallEvent): void {
    this.#invocation?.toolEvents.set(event.toolUse.toolUseId, event);
  }

  pause(): void {
    if (this.#invocation !== undefined) this.#invocation.isPaused = true;
  }

  callModel(context: sdk.InvokeModelContext, next: Next<sdk.InvokeModelContext, sdk.ModelResult>) {
    const invocation = this.#findInvocation();
    // Not a generator around another one, which would cost every event of the stream.
    return invocation === undefined || !concernsModelCall(this.#parts, invocation)
      ? next(context)
      : callModelWithHooks(this.#parts, invocation, context, next);
  }

  callTool(context: sdk.ExecuteToolContext, next: Next<sdk.ExecuteToolContext, sdk.ToolResultBlock>) {
    const invocation = this.#findInvocation();
    if (invocation === undefined) return next(context);
    // A run that begins with a tool was paused in another process.
    const resuming = invocation.hasBegun ? invocation.resuming : invocation.resume();
    return resuming === undefined
      ? this.#callTool(invocation, context, next)
      : this.#callResumed(resuming, invocation, context, next);
  }

  #callTool(
    invocation: Invocation,
    context: sdk.ExecuteToolContext,
    next: Next<sdk.ExecuteToolContext, sdk.ToolResultBlock>,
  ): ReturnType<typeof next> {
    return concernsToolCall(this.#parts, context)
      ? callToolWithHooks(this.#parts, invocation, context, next)
      : executeTool(invocation, context, next);
  }

  async *#callResumed(
    resuming: Promise<void>,
    invocation: Invocation,
    context: sdk.ExecuteToolContext,
    next: Next<sdk.ExecuteToolContext, sdk.ToolResultBlock>,
  ): ReturnType<typeof next> {
    await resuming;
    return yield* this.#callTool(invocation, context, next);
  }

  /** `before_stop` and the events at the end, unless the run goes on or pauses. */
  async endTurn(event: sdk.AfterInvocationEvent): Promise<void> {
    const invocation = this.#invocation;
    if (invocation === undefined) return;
    invocation.endTurn();
    if (invocation.isPaused) return;
    if (event.resume !== undefined) {
      invocation.isHeld = true;
      return;
    }
    return this.#askToEnd(event, invocation);
  }

  finish(traces: readonly sdk.AgentTrace[] = []): void {
    const replaced = this.#invocation?.replaced;
    if (replaced !== undefined && replaced.size > 0) replaceAnswers(traces, replaced);
  }

  async #askToEnd(event: sdk.AfterInvocationEvent, invocation: Invocation): Promise<void> {
    let ending: Ending;
    let thrown: Error | undefined;
    try {
      const answer = await readEnding(invocation);
      if (answer.type === "go_on") {
        event.resume = answer.feedback;
        invocation.isHeld = true;
        return;
      }
      ending = answer.ending;
    } catch (error) {
      ending = readFailure(invocation.run, error as Error);
      if (ending.status === "failed") thrown = ending.error;
    }
    if (invocation.refusal !== undefined) forgetTurn(this.#agent.messages, invocation);
    this.#isRunning = false;
    const error = await endRun(invocation.run, ending);
    // Strands itself reports the error of its own; a stop is not an error.
    if (error !== undefined && error !== ending.error) throw error;
    if (thrown !== undefined) throw thrown;
  }

  /** The run of a model or tool call; `undefined` while there are no hooks. They may have come since the run began. */
  #findInvocation(): Invocation | undefined {
    if (this.#invocation === undefined && mayHaveAny(this.#parts.hooks)) {
      this.#invocation = new Invocation(this.#parts);
      this.#invocation.hasBegun = true;
    }
    return this.#invocation;
  }

  async #begin(invocation: Invocation): Promise<void> {
    try {
      if (!invocation.hasBegun) await this.#beginRun(invocation);
      const { refusal } = invocation;
      if (refusal === undefined) await beginStep(this.#parts, invocation);
      // A refusal is an answer; a guard that failed is an error.
      else if (!isRefused(refusal)) throw refusal.error;
    } catch (error) {
      invocation.failUnlessStopped(error);
    }
  }

  async #beginRun(invocation: Invocation): Promise<void> {
    invocation.hasBegun = true;
    const { inputs, run } = invocation;
    // The program continues a conversation without a new message.
    if (inputs.length === 0) return;
    const message = readInputs(inputs);
    const beginning = await beginTurn(run, message);
    if (beginning.type === "refused") {
      invocation.refusal = beginning;
      return;
    }
    const context = [...this.#sessionContext, ...beginning.context];
    this.#sessionContext = [];
    const text = joinContext(beginning.message, context);
    if (text !== message) replaceInputs(this.#parts.sdk, this.#agent.messages, inputs, text);
  }
}

type Next<C, R> = (context: C) => AsyncGenerator<sdk.AgentStreamEvent, { readonly result: R }, undefined>;
