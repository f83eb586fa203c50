import { afterStep, beforeStep } from "@tenterhook/engine/host";
import { BoundedMap } from "@tenterhook/internal";
import type { Message } from "@tenterhook/protocol";
import * as sdk from "ai";
import { replaceUserText } from "../core/index.ts";
import { chainApproval } from "./approval.ts";
import { GATE, GATE_SCHEMA, GATE_TOOL } from "./gate.ts";
import { wrapModel } from "./model.ts";
import { type CallStart, chainOnError, resolveModel, type SdkRun } from "./sdk-run.ts";
import type { PromptMessage, Settings, StepLike, StepOptions, StopCondition, Tool } from "./sdk-types.ts";
import { wrapTools } from "./tools.ts";

/** Whether the installed SDK is version 7: it has `toolApproval`, and keeps what `prepareStep` returns for later steps. */
const isVersion7 = "experimental_createSteering" in sdk;

/**
 * Settings for any number of runs, whose extension points call hooks. `prepareCall` makes those of one run of an agent; those of one call
 * have no `prepareCall`. `hasGate`: hooks may keep the agent running, which needs a tool.
 */
export function hookSettings(
  settings: Settings,
  isCall: boolean,
  hasGate: boolean,
  createRun: (start: CallStart) => SdkRun,
): Settings {
  // Runs that wait for a person or a client, by the calls that they wait for. Those that were given up are dropped.
  const paused = new BoundedMap<string, SdkRun>(1_000);
  /** The SDK takes the name and `onError` from the settings of the agent. */
  const newRun = ({ prompt, messages, maxRetries, streamRetries, tools }: Settings): SdkRun =>
    createRun({
      ...{ prompt, messages, maxRetries, streamRetries, tools },
      agentName: settings.id,
      hasOnError: settings.onError !== undefined,
      onPause: (toolCallId, run) => void paused.set(toolCallId, run),
    });
  // A call without `prepareCall` has one run; if the settings are used again, its first step begins another.
  let current: SdkRun | undefined;
  const getRun = (): SdkRun => {
    if (current !== undefined) return current;
    current = newRun(settings);
    // A resumed call asks about its tools before its first step.
    current.run.follow(settings.abortSignal);
    return current;
  };
  const { onEnd, onFinish, onError } = settings;
  const shared: Settings = {
    ...hookRun(settings, hasGate, getRun, (isFirstStep) => {
      if (isFirstStep && current?.run.hasEnded) current = undefined;
    }),
    ...(onEnd === undefined
      ? { onFinish: endPaused(paused, onFinish) }
      : { onEnd: endPaused(paused, onEnd) }),
    ...(onError !== undefined && { onError: chainOnError(onError) }),
  };
  if (isCall) return shared;
  const prepareCall = async (args: Settings): Promise<Settings> => {
    const own = readOwn(settings, args);
    const prepared = (
      settings.prepareCall === undefined ? own : ((await settings.prepareCall(own)) ?? own)
    ) as Settings;
    const sdkRun = newRun(prepared);
    const text = await sdkRun.begin();
    const wrapped = hookRun(prepared, hasGate, () => sdkRun, undefined);
    return text !== sdkRun.text ? { ...wrapped, ...replacePrompt(prepared, text) } : wrapped;
  };
  return { ...shared, prepareCall };
}

/** The settings of one call of an agent with the user's own values, for the user's own `prepareCall`. */
function readOwn(settings: Settings, args: Settings): Settings {
  const {
    model,
    tools,
    prepareStep,
    stopWhen = agentStop,
    activeTools,
    toolApproval,
    prepareCall,
  } = settings;
  const own = { model, tools, prepareStep, stopWhen, activeTools, toolApproval, prepareCall };
  return Object.assign({}, args, own) as Settings;
}

/** Wraps what one run uses. `onStep` is called before each step of settings whose message cannot be changed beforehand. */
function hookRun(
  settings: Settings,
  hasGate: boolean,
  getRun: () => SdkRun,
  onStep: ((isFirst: boolean) => void) | undefined,
): Settings {
  const { activeTools, toolApproval } = settings;
  /** What hooks changed before a step, for those after it: version 7 keeps what `prepareStep` returns, version 6 uses it in one step. */
  let changed: { readonly messages: readonly PromptMessage[]; readonly length: number } | undefined;
  const withGate = (active: readonly string[] | undefined) =>
    active === undefined || !hasGate ? active : [...active, GATE];

  const prepareStep = async (options: StepOptions): Promise<unknown> => {
    onStep?.(options.stepNumber === 0);
    const sdkRun = getRun();
    const { run } = sdkRun;
    run.follow(settings.abortSignal);
    const text = await sdkRun.begin();
    try {
      run.check();
      if (options.stepNumber === 0) changed = undefined;
      const { messages: own } = options;
      const given = changed === undefined ? own : [...changed.messages, ...own.slice(changed.length)];
      const isPatched = onStep !== undefined && options.stepNumber === 0 && text !== sdkRun.text;
      const current = isPatched ? replaceUserText(given, text) : given;
      const before = await beforeStep(run, current as readonly Message[]);
      const messages = before.messages as readonly PromptMessage[];
      if (messages !== given && !isVersion7) changed = { messages, length: own.length };
      const result = (settings.prepareStep && (await settings.prepareStep({ ...options, messages }))) as
        | Partial<Settings>
        | undefined;
      if (result === undefined && messages === own) return undefined;
      return {
        ...(messages !== own && { messages }),
        ...result,
        ...(result?.model !== undefined && { model: wrapModel(resolveModel(result.model), getRun) }),
        ...(result?.activeTools !== undefined && { activeTools: withGate(result.activeTools) }),
      };
    } catch (error) {
      throw await sdkRun.fail(error);
    }
  };

  /** Asked after a step with tool calls. What it throws fails the run, unlike what tools and callbacks throw. */
  const isStopped = async ({ steps }: { readonly steps: readonly StepLike[] }): Promise<boolean> => {
    const sdkRun = getRun();
    try {
      const { run } = sdkRun;
      run.check();
      const last = steps.at(-1);
      await afterStep(run, (last?.response?.messages ?? []) as readonly Message[]);
      // Steps in which hooks kept the agent running do not count: a limit of steps is met by an exact number.
      const counted = hasGate ? steps.filter((step) => !isHeld(step)) : steps;
      const conditions = [settings.stopWhen ?? defaultStop].flat();
      const met = await Promise.all(conditions.map((condition) => condition({ steps: counted })));
      if (!met.includes(true)) return false;
      await sdkRun.endAtLimit(last?.text ?? "");
      return true;
    } catch (error) {
      throw await sdkRun.fail(error);
    }
  };

  const tools = wrapTools(settings.tools, getRun);
  if (hasGate) tools[GATE] = gateTool as Tool;
  // Not a spread: properties that follow one take longer.
  return Object.assign({}, settings, {
    model: wrapModel(resolveModel(settings.model), getRun),
    tools,
    activeTools: withGate(activeTools),
    prepareStep,
    stopWhen: isStopped,
    toolApproval: isVersion7 ? chainApproval(toolApproval, settings.tools, getRun) : toolApproval,
  }) as Settings;
}

/** A run that waits for a person or a client ends without being asked whether it may stop. */
function endPaused(
  paused: BoundedMap<string, SdkRun>,
  onFinish: Settings["onFinish"],
): NonNullable<Settings["onFinish"]> {
  return async (event) => {
    for (const { toolCallId } of event.toolCalls ?? []) {
      const sdkRun = paused.get(toolCallId);
      paused.delete(toolCallId);
      await sdkRun?.end("stopped").catch(() => undefined);
    }
    await onFinish?.(event);
  };
}

/** Whether hooks kept the agent running after a step. */
function isHeld({ toolCalls }: StepLike): boolean {
  return toolCalls?.some(({ toolName }) => toolName === GATE) === true;
}

const gateTool = { ...GATE_TOOL, inputSchema: sdk.jsonSchema(GATE_SCHEMA as never) };

/** The defaults of the SDK: one step of `generateText` and `streamText`, twenty of an agent. */
const defaultStop: StopCondition = ({ steps }) => steps.length >= 1;
const agentStop: StopCondition = ({ steps }) => steps.length >= 20;

function replacePrompt({ prompt, messages }: Settings, text: string): Pick<Settings, "prompt" | "messages"> {
  if (typeof prompt === "string") return { prompt: text };
  const isPrompt = Array.isArray(prompt);
  const changed = replaceUserText((isPrompt ? prompt : messages) as readonly PromptMessage[], text);
  return isPrompt ? { prompt: changed } : { messages: changed };
}
