import type * as sdk from "@strands-agents/sdk";
import {
  beginTurn,
  type Ending,
  endRun,
  holdAtStop,
  joinContext,
  mayHaveAny,
  mayHaveHooks,
  readFailure,
  startSession,
} from "@tenterhook/engine/host";
import { TenterhookError } from "@tenterhook/protocol";
import { checkSupport, type HookSource, readHooks, startFrameworkRun } from "../core/index.ts";
import { type AgentParts, Invocation, type StrandsOptions } from "./invocation.ts";
import { forgetReading, hasToolResults, hasToolUses, readText, readToolUses } from "./messages.ts";
import { callModelWithHooks, concernsModelCall, formatStop, replaceAnswers } from "./model-call.ts";
import { recordHooks } from "./subagent.ts";
import { strandsSupport } from "./support.ts";
import { callToolWithHooks } from "./tool-call.ts";

let plugins = 0;

/**
 * The hooks as a plugin of a Strands agent: `new Agent({ plugins: [hooksPlugin(hooks)] })`. One plugin may serve several agents. Throws
 * for a hook on an event that Strands cannot carry.
 */
export function hooksPlugin(source: HookSource, options: StrandsOptions = {}): sdk.Plugin {
  const hooks = readHooks(source);
  const agentHooks = checkSupport(hooks, strandsSupport, options);
  const name = `tenterhook-${++plugins}`;
  return {
    name,
    async initAgent(agent) {
      // Not before an agent exists: a program may import this module without the package.
      const sdkModule = await import("@strands-agents/sdk");
      if (!(agent instanceof sdkModule.Agent)) {
        const problem =
          "the agent was made by another copy of @strands-agents/sdk, so its hooks would not be called.";
        throw new TenterhookError("bad_agent", problem, {
          hint: "Install one version of the package, beside @tenterhook/adapters.",
        });
      }
      const { models } = options;
      installHooks({ sdk: sdkModule, agent, agentHooks, source: hooks, models, install: installHooks });
    },
  };
}

/** Installs the hooks on an agent; returns the function that removes them. */
function installHooks(parts: AgentParts): () => void {
  const { agent, sdk: sdkModule } = parts;
  const { SDK_FIRST: order, SDK_LAST } = sdkModule.HookOrder;
  const hooked = new HookedAgent(parts);
  const undo = [
    recordHooks(parts),
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

type Next<C, R> = (context: C) => AsyncGenerator<sdk.AgentStreamEvent, { readonly result: R }, undefined>;

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
    const { agentHooks } = this.#parts;
    if (!mayHaveHooks(agentHooks.hooks, "session_start")) return;
    const { sessionId, name: agentName, model } = this.#agent;
    const run = startFrameworkRun(agentHooks, { agentName, sessionId, parent: undefined });
    const { modelId } = model;
    const source = { source: "startup" } as const;
    const start = await startSession(run, modelId === undefined ? source : { ...source, model: modelId });
    // Of a run that has not begun no event is fired.
    await endRun(run, { status: "completed" });
    if (start.type === "refused") throw start.error;
    this.#sessionContext = start.context;
  }

  beginTurn(): void {
    const isContinued = this.#isRunning && (this.#invocation?.isHeld || this.#invocation?.isPaused);
    if (!isContinued)
      this.#invocation = mayHaveAny(this.#parts.agentHooks.hooks) ? new Invocation(this.#parts) : undefined;
    this.#isRunning = true;
    this.#invocation?.beginTurn();
  }

  async addMessage(message: sdk.Message): Promise<void> {
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
    await invocation.endStep();
  }

  /** `before_agent` and `before_step`. A stop is carried out by the model call, which follows. */
  async beforeModelCall(): Promise<void> {
    const invocation = this.#invocation;
    if (invocation === undefined) return;
    invocation.modelError = undefined;
    if (invocation.run.stopped !== undefined) return;
    // It was refused: for Strands, an error at a tool call is a result of the tool.
    if (invocation.resuming !== undefined) return invocation.resuming;
    try {
      if (!invocation.hasBegun) await this.#beginRun(invocation);
      const { error } = invocation.refusal ?? {};
      if (error === undefined) await invocation.beginStep();
      // A refusal is an answer; a guard that failed is an error.
      else if (error.code !== "turn_refused") throw error;
    } catch (error) {
      invocation.failUnlessStopped(error);
    }
  }

  async #beginRun(invocation: Invocation): Promise<void> {
    invocation.hasBegun = true;
    const { inputs, run } = invocation;
    // The program continues a conversation without a new message.
    if (inputs.length === 0) return;
    const message = inputs.map(readText).join("\n\n");
    const beginning = await beginTurn(run, message);
    if (beginning.type === "refused") {
      invocation.refusal = beginning;
      return;
    }
    const text = joinContext(beginning.message, [...this.#sessionContext, ...beginning.context]);
    this.#sessionContext = [];
    if (text !== message) this.#replaceInputs(inputs, text);
  }

  /** Puts the changed text into the last of the user's messages; of the others only what is not text remains. */
  #replaceInputs(inputs: readonly sdk.Message[], text: string): void {
    const { messages } = this.#agent;
    const { Message: MessageClass, TextBlock } = this.#parts.sdk;
    for (const input of inputs) {
      const content = input.content.filter(({ type }) => type !== "textBlock");
      if (input === inputs.at(-1)) content.unshift(new TextBlock(text));
      const changed = content.length === 0 ? [] : [new MessageClass({ role: "user", content })];
      const index = messages.indexOf(input);
      if (index >= 0) messages.splice(index, 1, ...changed);
    }
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
    return invocation === undefined || !concernsModelCall(invocation)
      ? next(context)
      : callModelWithHooks(invocation, context, next);
  }

  async *callTool(
    context: sdk.ExecuteToolContext,
    next: Next<sdk.ExecuteToolContext, sdk.ToolResultBlock>,
  ): ReturnType<typeof next> {
    const invocation = this.#findInvocation();
    if (invocation === undefined) return yield* next(context);
    // A run that begins with a tool was paused in another process.
    await (invocation.hasBegun ? invocation.resuming : invocation.resume());
    return yield* callToolWithHooks(invocation, context, next);
  }

  /** The run of a model or tool call; `undefined` while there are no hooks. They may have come since the run began. */
  #findInvocation(): Invocation | undefined {
    if (this.#invocation === undefined && mayHaveAny(this.#parts.agentHooks.hooks)) {
      this.#invocation = new Invocation(this.#parts);
      this.#invocation.hasBegun = true;
    }
    return this.#invocation;
  }

  /** `before_stop` and the events at the end, unless the run goes on or pauses. */
  async endTurn(event: sdk.AfterInvocationEvent): Promise<void> {
    const invocation = this.#invocation;
    if (invocation === undefined) return;
    invocation.endTurn();
    if (invocation.isPaused) return;
    const { run } = invocation;
    let ending: Ending = invocation.readEnding();
    let thrown: Error | undefined;
    try {
      if (event.resume === undefined && ending.status === "completed") {
        const answer = await holdAtStop(run, ending.text ?? run.steps.text);
        if (answer.type === "go_on") event.resume = answer.feedback;
      }
    } catch (error) {
      ending = readFailure(run, error);
      if (ending.status === "failed") thrown = ending.error;
    }
    if (event.resume !== undefined) {
      invocation.isHeld = true;
      return;
    }
    if (invocation.refusal !== undefined) this.#forgetTurn(invocation);
    this.#isRunning = false;
    const error = await endRun(run, ending);
    // Strands itself reports the error of its own; a stop is not an error.
    if (error !== undefined && error !== ending.error) throw error;
    if (thrown !== undefined) throw thrown;
  }

  /** A refused message, and the reason as its answer, do not belong to the conversation. */
  #forgetTurn({ inputs, answer }: Invocation): void {
    const { messages } = this.#agent;
    for (const message of answer === undefined ? inputs : [...inputs, answer]) {
      const index = messages.indexOf(message);
      if (index >= 0) messages.splice(index, 1);
    }
  }

  finish(traces: readonly sdk.AgentTrace[] = []): void {
    const replaced = this.#invocation?.replaced;
    if (replaced !== undefined && replaced.size > 0) replaceAnswers(traces, replaced);
  }
}
