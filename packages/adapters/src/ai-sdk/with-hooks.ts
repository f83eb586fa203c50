import type { Hooks } from "@tenterhook/engine";
import { BoundedMap } from "@tenterhook/internal";
import type { Message } from "@tenterhook/protocol";
import { jsonSchema } from "ai";
import {
  type AdapterOptions,
  type HookSource,
  listSupported,
  readHooks,
  SupportCheck,
  warnOnce,
} from "../core/index.ts";
import { chainApproval } from "./chain-approval.ts";
import { GATE, GATE_SCHEMA, GATE_TOOL } from "./gate.ts";
import { wrapTools } from "./hooked-tools.ts";
import { resolveModel } from "./resolve-model.ts";
import { SdkRun } from "./sdk-run.ts";
import type { PromptMessage, Tool, Tools } from "./sdk-types.ts";
import { support } from "./support.ts";
import { replaceUserText } from "./user-message.ts";
import { wrapModel } from "./wrap-model.ts";

/** The settings that the adapter reads; all others are kept. */
export interface SettingsLike {
  readonly model: unknown;
}

/** The same settings with the fields that the adapter uses. */
interface Settings {
  readonly id?: string;
  readonly model: unknown;
  readonly tools?: Tools;
  readonly prompt?: unknown;
  readonly messages?: unknown;
  readonly maxRetries?: number;
  readonly abortSignal?: AbortSignal;
  readonly activeTools?: readonly string[];
  readonly toolApproval?: unknown;
  readonly stopWhen?: StopCondition | readonly StopCondition[];
  readonly prepareStep?: (options: StepOptions) => unknown;
  readonly prepareCall?: (args: Settings) => unknown;
  readonly onFinish?: (event: FinishEvent) => unknown;
  readonly onEnd?: (event: FinishEvent) => unknown;
}

type StopCondition = (options: { readonly steps: readonly StepLike[] }) => boolean | PromiseLike<boolean>;

interface StepLike {
  readonly text?: string;
  readonly toolCalls?: readonly { readonly toolName: string; readonly toolCallId: string }[];
  readonly response?: { readonly messages?: readonly PromptMessage[] };
}

interface FinishEvent {
  readonly toolCalls?: readonly { readonly toolCallId: string }[];
}

interface StepOptions {
  readonly stepNumber: number;
  readonly messages: readonly PromptMessage[];
  readonly steps: readonly StepLike[];
}

/**
 * The settings of a `ToolLoopAgent`, or of one call of `generateText` or `streamText`, with hooks. Throws for a hook that the AI SDK
 * cannot enforce. Give each call of `generateText` settings of its own.
 */
export function withHooks<S extends SettingsLike>(
  settings: S,
  source: HookSource,
  options: AdapterOptions = {},
): S {
  const hooks = readHooks(source);
  const check = new SupportCheck(hooks, support, listSupported(support), options);
  const own = settings as unknown as Settings;
  warnAboutTools(own.tools, options);
  const hooked = new HookedSettings(hooks, options, check);
  return hooked.wrapShared(own) as unknown as S;
}

class HookedSettings {
  readonly #hooks: Hooks;
  readonly #options: AdapterOptions;
  readonly #check: SupportCheck;
  /** Runs that wait for a person or a client, by the calls that they wait for. Those that were given up are dropped. */
  readonly #paused = new BoundedMap<string, SdkRun>(1_000);

  constructor(hooks: Hooks, options: AdapterOptions, check: SupportCheck) {
    this.#hooks = hooks;
    this.#options = options;
    this.#check = check;
  }

  /** Settings for any number of runs, of which `prepareCall` makes those of one run. */
  wrapShared(settings: Settings): Settings {
    const isCall = settings.prompt !== undefined || settings.messages !== undefined;
    // A call without `prepareCall` has one run; if the settings are used again, its first step begins another.
    let current: SdkRun | undefined;
    const getRun = (): SdkRun => {
      current ??= this.#newRun(settings);
      return current;
    };
    const wrapped = this.#wrapCall(settings, getRun, (isFirstStep) => {
      if (isFirstStep && current?.hasEnded) current = undefined;
    });
    const { onEnd, onFinish } = settings;
    const finished =
      onEnd === undefined ? { onFinish: this.#endPaused(onFinish) } : { onEnd: this.#endPaused(onEnd) };
    if (isCall) return { ...wrapped, ...finished };
    return {
      ...wrapped,
      ...finished,
      prepareCall: async (args: Settings) => this.#prepareCall(settings, args),
    };
  }

  async #prepareCall(settings: Settings, args: Settings): Promise<unknown> {
    // The user's own function gets the user's own values.
    const { model, tools, prepareStep, stopWhen, activeTools, toolApproval, prepareCall } = settings;
    const own = { model, tools, prepareStep, activeTools, toolApproval, prepareCall } as Settings;
    // Not spreads: properties that follow one take longer than all the rest.
    const plain = Object.assign({}, args, own, { stopWhen: stopWhen ?? agentStop });
    const prepared = ((await prepareCall?.(plain)) ?? plain) as Settings;
    const sdkRun = this.#newRun({ ...prepared, ...(settings.id !== undefined && { id: settings.id }) });
    const beginning = await sdkRun.begin();
    const wrapped = this.#wrapCall(prepared, () => sdkRun, undefined);
    if (!sdkRun.isChanged(beginning)) return wrapped;
    return { ...wrapped, ...replacePrompt(prepared, beginning.text) };
  }

  #newRun(settings: Settings): SdkRun {
    const { prompt, messages, id: agentName, maxRetries, tools } = settings;
    return new SdkRun(this.#hooks, this.#options, this.#check, {
      prompt,
      messages,
      agentName,
      maxRetries,
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
    return Object.assign({}, settings, {
      model: wrapModel(resolveModel(settings.model), getRun),
      tools: { ...wrapTools(tools, getRun), [GATE]: gateTool as Tool },
      ...(activeTools !== undefined && { activeTools: [...activeTools, GATE] }),
      ...chainApproval(settings.toolApproval, tools, getRun),
      prepareStep: (options: StepOptions) => this.#prepareStep(settings, options, getRun, onStep),
      stopWhen: ({ steps }: { readonly steps: readonly StepLike[] }) =>
        this.#isStopped(settings, steps, getRun()),
    });
  }

  async #prepareStep(
    settings: Settings,
    options: StepOptions,
    getRun: () => SdkRun,
    onStep: ((isFirst: boolean) => void) | undefined,
  ): Promise<unknown> {
    onStep?.(options.stepNumber === 0);
    const sdkRun = getRun();
    const { run, events } = sdkRun;
    run.follow(settings.abortSignal);
    const beginning = await sdkRun.begin();
    try {
      run.checkStopped();
      const given = sdkRun.changed.read(options.messages);
      const isPatched = onStep !== undefined && options.stepNumber === 0 && sdkRun.isChanged(beginning);
      const current = isPatched ? replaceUserText(given, beginning.text) : given;
      const before = await events.beforeStep(current as readonly Message[]);
      if (before.type === "skip") throw run.unsupported({ event: "before_step", hook: before.hook }, "skip");
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
        ...(result?.activeTools !== undefined && { activeTools: [...result.activeTools, GATE] }),
      };
    } catch (error) {
      throw await sdkRun.fail(error);
    }
  }

  /** Asked after a step with tool calls. What it throws fails the run, unlike what tools and callbacks throw. */
  async #isStopped(settings: Settings, steps: readonly StepLike[], sdkRun: SdkRun): Promise<boolean> {
    const { run, events } = sdkRun;
    try {
      run.checkStopped();
      const last = steps.at(-1);
      await events.afterStep((last?.response?.messages ?? []) as readonly Message[]);
      // Steps in which hooks kept the agent running do not count: a limit of steps is met by an exact number.
      const counted = steps.filter(
        (step) => step.toolCalls?.some(({ toolName }) => toolName === GATE) !== true,
      );
      const conditions = [settings.stopWhen ?? defaultStop].flat();
      const met = await Promise.all(conditions.map((condition) => condition({ steps: counted })));
      if (!met.includes(true)) return false;
      await sdkRun.endAtLimit(last?.text ?? "");
      return true;
    } catch (error) {
      throw await sdkRun.fail(error);
    }
  }

  /** A run that waits for a person or a client ends without being asked whether it may stop. */
  #endPaused(onFinish: Settings["onFinish"]): NonNullable<Settings["onFinish"]> {
    return async (event) => {
      for (const { toolCallId } of event.toolCalls ?? []) {
        const sdkRun = this.#paused.get(toolCallId);
        this.#paused.delete(toolCallId);
        await sdkRun?.end("stopped").catch(() => undefined);
      }
      await onFinish?.(event);
    };
  }
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

/** Tools that the provider or the client executes never reach a hook. */
function warnAboutTools(tools: Tools | undefined, { warn = warnOnce }: AdapterOptions): void {
  for (const [name, tool] of Object.entries(tools ?? {}) as readonly (readonly [string, Tool])[]) {
    if (typeof tool.execute === "function") continue;
    warn(`The tool "${name}" is not executed by the AI SDK: hooks are not called about it.`);
  }
}
