import { abortable, abortError } from "../abort.ts";
import type { Model, ModelAnswer, ModelDelta, ModelRequest } from "../model.ts";
import {
  type Script,
  type ScriptedAnswer,
  ScriptPlayer,
  scriptedCall,
  scriptedFinish,
  scriptedMessage,
  scriptedUsage,
  words,
} from "./script.ts";

/** How a scripted model follows its script. */
export interface ScriptedModelOptions {
  /** Start again at the end of the script. Default `false`: a further call throws `script_ended`. */
  readonly repeat?: boolean | undefined;
  /** Record the requests. Default `true`; `false` for benchmarks and for measuring memory. */
  readonly record?: boolean | undefined;
  /** Default `scripted`. */
  readonly modelId?: string | undefined;
}

/** A model that answers from a script. */
export interface ScriptedModel extends Model {
  /** The requests, oldest first; empty without `record`. */
  readonly requests: readonly ModelRequest[];
  /** The number of calls, with or without `record`. */
  readonly calls: number;
}

type Emit = (delta: ModelDelta) => void;

/** A model that answers from a script, for tests, examples and benchmarks: always the same answers, and no network. */
export function scriptedModel(script: Script, options: ScriptedModelOptions = {}): ScriptedModel {
  const { repeat, record = true, modelId = "scripted" } = options;
  const player = new ScriptPlayer(script, repeat);
  const requests: ModelRequest[] = [];

  async function answer(request: ModelRequest, emit?: Emit): Promise<ModelAnswer> {
    const { signal, messages } = request;
    if (signal.aborted) throw abortError(signal.reason);
    // A copy, because an agent may append to its list after the call.
    if (record) requests.push({ ...request, messages: [...messages] });
    const next = player.next(request);
    const turn = next instanceof Promise ? await abortable(signal, () => next) : next;
    const scripted = typeof turn === "string" ? { text: turn } : turn;
    if (scripted.error !== undefined) throw scripted.error;
    if (emit !== undefined) emitDeltas(scripted, signal, emit);
    if (scripted.halfway === "cut") {
      // Providers mark a broken connection as retryable.
      throw Object.assign(new Error("The answer was cut off halfway, as the script has it."), {
        isRetryable: true,
      });
    }
    if (scripted.halfway === "stall") return abortable(signal, () => new Promise<never>(() => {}));
    const toolCalls = scripted.toolCalls?.map((call) => scriptedCall(call, () => player.callId())) ?? [];
    return {
      text: scripted.text ?? "",
      toolCalls,
      message: scriptedMessage(scripted, toolCalls),
      usage: scriptedUsage(scripted, messages),
      finishReason: scriptedFinish(scripted),
      modelId,
    };
  }

  return {
    modelId,
    provider: "scripted",
    requests,
    get calls() {
      return player.calls;
    },
    generate: (request) => answer(request),
    stream: answer,
  };
}

function emitDeltas(
  { text = "", reasoning = "", halfway }: ScriptedAnswer,
  signal: AbortSignal,
  emit: Emit,
): void {
  const pieces: ModelDelta[] = [
    ...words(reasoning).map((piece) => ({ type: "reasoning" as const, text: piece })),
    ...words(text).map((piece) => ({ type: "text" as const, text: piece })),
  ];
  const sent = halfway === undefined ? pieces : pieces.slice(0, Math.ceil(pieces.length / 2));
  for (const piece of sent) {
    emit(piece);
    // A listener may have aborted the call.
    if (signal.aborted) throw abortError(signal.reason);
  }
}
