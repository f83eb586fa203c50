import type { Hooks } from "@tenterhook/engine";
import { BoundedMap } from "@tenterhook/internal";
import type { Message } from "@tenterhook/protocol";
import { jsonSchema } from "ai";
import { type AdapterOptions, afterStep, beforeStep, type SupportCheck } from "../core/index.ts";
import { chainApproval } from "./chain-approval.ts";
import { GATE, GATE_SCHEMA, GATE_TOOL } from "./gate.ts";
import { wrapTools } from "./hooked-tools.ts";
import { resolveModel } from "./resolve-model.ts";
import { SdkRun } from "./sdk-run.ts";
import type { PromptMessage, Tool } from "./sdk-types.ts";
import { isVersion7 } from "./sdk-version.ts";
import type { FinishEvent, Settings, StepLike, StepOptions, StopCondition } from "./settings.ts";
import { chainOnError } from "./stream-retries.ts";
import { replaceUserText } from "./user-message.ts";
import { wrapModel } from "./wrap-model.ts";

/** The settings of an agent or of one call, whose extension points call hooks. */
export class HookedSettings {
  readonly #hooks: Hooks;
  readonly #options: AdapterOptions;
  readonly #check: SupportCheck;
  /** Whether hooks may keep the agent running, which needs a tool. */
  readonly #hasGate: boolean;
  /** Runs that wait for a person or a client, by the calls that they wait for. Those that were given up are dropped. */
  readonly #paused = new BoundedMap<string, SdkRun>(1_000);

  constructor(hooks: Hooks, options: AdapterOptions, check: SupportCheck, hasGate: boolean) {
    this.#hooks = hooks;
    this.#options = options;
    this.#check = check;
    this.#hasGate = hasGate;
  }

  /** Settings for any number of runs, of which `prepareCall` makes those of one run; those of one call have no `prepareCall`. */
  wrapShared(settings: Settings, isCall: boolean): Settings {
    // A call without `prepareCall` has one run; if the settings are used again, its first step begins another.
    let current: SdkRun | undefined;
    const getRun = (): SdkRun => {
      if (current !== undefined) return current;
      current = this.#newRun(settings);
      // A resumed call asks about its tools before its first step.
      current.run.follow(settings.abortSignal);
      return current;
    };
    const wrapped = this.#wrapCall(settings, getRun, (isFirstStep) => {
      if (isFirstStep && current?.hasEnded) current = undefined;
    });
    const { onEnd, onFinish } = settings;
    const finished =
      onEnd === undefined ? { onFinish: this.#endPaused(onFinish) } : { onEnd: this.#endPaused(onEnd) };
    const { onError } = settings;
    const ends = { ...finished, ...(onError !== undefined && { onError: chainOnError(onError) }) };
    if (isCall) return { ...wrapped, ...ends };
    return {
      ...wrapped,
      ...ends,
      prepareCall: (args: Settings) => this.#prepareCall(settings, args),
    };
  }

  async #prepareCall(settings: Settings, args: Settings): Promise<Settings> {
    // The user's own function gets the user's own values.
    const { model, tools, prepareStep, stopWhen, activeTools, toolApproval, prepareCall } = settings;
    const plain = copySettings(args);
    plain.model = model;
    plain.tools = tools;
    plain.prepareStep = prepareStep;
    plain.stopWhen = stopWhen ?? agentStop;
    plain.activeTools = activeTools;
    plain.toolApproval = toolApproval;
    plain.prepareCall = prepareCall;
    const prepared = ((await prepareCall?.(plain as Settings)) ?? plain) as Settings;
    const sdkRun = this.#newRun(prepared, settings);
    const text = await sdkRun.begin();
    const wrapped = this.#wrapCall(prepared, () => sdkRun, undefined);
    return sdkRun.isChanged(text) ? { ...wrapped, ...replacePrompt(prepared, text) } : wrapped;
  }

  /** `agent`: the settings of the agent, of which the SDK takes its name and `onError`. */
  #newRun(settings: Settings, agent = settings): SdkRun {
    const { prompt, messages, maxRetries, streamRetries, tools } = settings;
    return new SdkRun(this.#hooks, this.#options, this.#check, {
      prompt,
      messages,
      agentName: agent.id,
      maxRetries,
      streamRetries,
      hasOnError: agent.onError !== undefined,
      tools,
      onPause: (toolCallId, run) => void this.#paused.set(toolCallId, run),
    });
  }

  /** Wraps what one call uses. `onStep` is called before each step of settings whose message cannot be changed beforehand. */
  #wrapCall(
    settings: Settings,
    getRun: () => SdkRun,
    onStep: ((isFirst: boolean) => void) | undefined,
  ): Settings {
    const { tools, activeTools } = settings;
    const hooked = wrapTools(tools, getRun, onStep === undefined);
    if (this.#hasGate) hooked[GATE] = gateTool as Tool;
    const wrapped = copySettings(settings);
    wrapped.model = wrapModel(resolveModel(settings.model), getRun);
    wrapped.tools = hooked;
    wrapped.activeTools = this.#withGate(activeTools);
    if (isVersion7) wrapped.toolApproval = chainApproval(settings.toolApproval, tools, getRun);
    wrapped.prepareStep = (options: StepOptions) => this.#prepareStep(settings, options, getRun, onStep);
    wrapped.stopWhen = ({ steps }: { readonly steps: readonly StepLike[] }) =>
      this.#isStopped(settings, steps, getRun());
    return wrapped as Settings;
  }

  #withGate(activeTools: readonly string[] | undefined): readonly string[] | undefined {
    return activeTools === undefined || !this.#hasGate ? activeTools : [...activeTools, GATE];
  }

  async #prepareStep(
    settings: Settings,
    options: StepOptions,
    getRun: () => SdkRun,
    onStep: ((isFirst: boolean) => void) | undefined,
  ): Promise<unknown> {
    onStep?.(options.stepNumber === 0);
    const sdkRun = getRun();
    const { run } = sdkRun;
    run.follow(settings.abortSignal);
    const text = await sdkRun.begin();
    try {
      run.check();
      const given = sdkRun.changed.read(options.messages);
      const isPatched = onStep !== undefined && options.stepNumber === 0 && sdkRun.isChanged(text);
      const current = isPatched ? replaceUserText(given, text) : given;
      const before = await beforeStep(run, current as readonly Message[]);
      const messages = before.messages as readonly PromptMessage[];
      if (messages !== given) sdkRun.changed.keep(options.messages, messages);
      const result = (await settings.prepareStep?.({ ...options, messages })) as
        | { readonly model?: unknown; readonly messages?: unknown; readonly activeTools?: readonly string[] }
        | undefined;
      if (result === undefined && messages === options.messages) return undefined;
      return {
        ...(messages !== options.messages && { messages }),
        ...result,
        ...(result?.model !== undefined && { model: wrapModel(resolveModel(result.model), getRun) }),
        ...(result?.activeTools !== undefined && { activeTools: this.#withGate(result.activeTools) }),
      };
    } catch (error) {
      throw await sdkRun.fail(error);
    }
  }

  /** Asked after a step with tool calls. What it throws fails the run, unlike what tools and callbacks throw. */
  #isStopped(settings: Settings, steps: readonly StepLike[], sdkRun: SdkRun): Promise<boolean> {
    return sdkRun.orFail(async () => {
      const { run } = sdkRun;
      run.check();
      const last = steps.at(-1);
      await afterStep(run, (last?.response?.messages ?? []) as readonly Message[]);
      if (!(await this.#isLimitMet(settings, steps))) return false;
      await sdkRun.endAtLimit(last?.text ?? "");
      return true;
    });
  }

  async #isLimitMet({ stopWhen = defaultStop }: Settings, steps: readonly StepLike[]): Promise<boolean> {
    // Steps in which hooks kept the agent running do not count: a limit of steps is met by an exact number.
    const counted = this.#hasGate ? steps.filter((step) => !isHeld(step)) : steps;
    if (typeof stopWhen === "function") return stopWhen({ steps: counted });
    const met = await Promise.all(stopWhen.map((condition) => condition({ steps: counted })));
    return met.includes(true);
  }

  /** A run that waits for a person or a client ends without being asked whether it may stop. */
  #endPaused(onFinish: Settings["onFinish"]): NonNullable<Settings["onFinish"]> {
    return (event) => {
      const isPaused = event.toolCalls?.some(({ toolCallId }) => this.#paused.get(toolCallId) !== undefined);
      return isPaused === true ? this.#endRuns(event, onFinish) : onFinish?.(event);
    };
  }

  async #endRuns(event: FinishEvent, onFinish: Settings["onFinish"]): Promise<void> {
    for (const { toolCallId } of event.toolCalls ?? []) {
      const sdkRun = this.#paused.get(toolCallId);
      this.#paused.delete(toolCallId);
      await sdkRun?.end("stopped").catch(() => undefined);
    }
    await onFinish?.(event);
  }
}

/** A copy to write to. A literal that goes on after a spread takes longer than a spread and these writes. */
function copySettings(settings: Settings): { -readonly [K in keyof Settings]: Settings[K] | undefined } {
  return { ...settings };
}

/** Whether hooks kept the agent running after a step. */
function isHeld({ toolCalls }: StepLike): boolean {
  return toolCalls?.some(({ toolName }) => toolName === GATE) === true;
}

const gateTool = { ...GATE_TOOL, inputSchema: jsonSchema(GATE_SCHEMA as never) };

/** The defaults of the SDK: one step of `generateText` and `streamText`, twenty of an agent. */
const defaultStop: StopCondition = ({ steps }) => steps.length >= 1;
const agentStop: StopCondition = ({ steps }) => steps.length >= 20;

function replacePrompt({ prompt, messages }: Settings, text: string): Pick<Settings, "prompt" | "messages"> {
  if (typeof prompt === "string") return { prompt: text };
  const isPrompt = Array.isArray(prompt);
  const list = (isPrompt ? prompt : messages) as readonly PromptMessage[];
  const changed = replaceUserText(list, text);
  return isPrompt ? { prompt: changed } : { messages: changed };
}
