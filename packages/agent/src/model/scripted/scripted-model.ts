import { abortable, abortError } from "../abort.ts";
import type { Model, ModelAnswer, ModelDelta, ModelRequest } from "../model.ts";
import { type Script, type ScriptedAnswer, type ScriptedTurn, ScriptPlayer } from "./script.ts";
import { scriptedCall, scriptedFinish, scriptedMessage, scriptedUsage, words } from "./scripted-answer.ts";

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
  return new PlayedScript(script, options);
}

class PlayedScript implements ScriptedModel {
  readonly modelId: string;
  readonly provider = "scripted";
  readonly requests: ModelRequest[] = [];
  readonly #record: boolean;
  readonly #player: ScriptPlayer<ModelRequest>;
  readonly #newId: () => string;

  constructor(script: Script, { repeat, record = true, modelId = "scripted" }: ScriptedModelOptions) {
    const player = new ScriptPlayer(script, repeat);
    this.modelId = modelId;
    this.#record = record;
    this.#player = player;
    this.#newId = () => player.callId();
  }

  get calls(): number {
    return this.#player.calls;
  }

  async generate(request: ModelRequest): Promise<ModelAnswer> {
    const turn = this.#next(request);
    return this.#play(turn instanceof Promise ? await waitFor(turn, request) : turn, request);
  }

  async stream(request: ModelRequest, emit: Emit): Promise<ModelAnswer> {
    const turn = this.#next(request);
    return this.#play(turn instanceof Promise ? await waitFor(turn, request) : turn, request, emit);
  }

  #next(request: ModelRequest): ScriptedTurn | Promise<ScriptedTurn> {
    if (request.signal.aborted) throw abortError(request.signal.reason);
    // A copy, because an agent may append to its list after the call.
    if (this.#record) this.requests.push({ ...request, messages: [...request.messages] });
    return this.#player.next(request);
  }

  #play(turn: ScriptedTurn, request: ModelRequest, emit?: Emit): ModelAnswer | Promise<ModelAnswer> {
    const answer = typeof turn === "string" ? { text: turn } : turn;
    if (answer.error !== undefined) throw answer.error;
    if (emit !== undefined) emitDeltas(answer, request.signal, emit);
    if (answer.halfway === "cut") {
      // Providers mark a broken connection as retryable.
      throw Object.assign(new Error("The answer was cut off halfway, as the script has it."), {
        isRetryable: true,
      });
    }
    if (answer.halfway === "stall") return waitFor(new Promise<never>(() => {}), request);
    const toolCalls = answer.toolCalls?.map((call) => scriptedCall(call, this.#newId)) ?? [];
    return {
      text: answer.text ?? "",
      toolCalls,
      message: scriptedMessage(answer, toolCalls),
      usage: scriptedUsage(answer, request.messages),
      finishReason: scriptedFinish(answer),
      modelId: this.modelId,
    };
  }
}

function waitFor<T>(promise: Promise<T>, { signal }: ModelRequest): Promise<T> {
  return abortable(signal, () => promise);
}

function emitDeltas(
  { text = "", reasoning = "", halfway }: ScriptedAnswer,
  signal: AbortSignal,
  emit: Emit,
): void {
  const reasoningWords = words(reasoning);
  const textWords = words(text);
  const all = reasoningWords.length + textWords.length;
  const end = halfway === undefined ? all : Math.ceil(all / 2);
  for (let i = 0; i < end; i++) {
    const isReasoning = i < reasoningWords.length;
    const piece = (isReasoning ? reasoningWords[i] : textWords[i - reasoningWords.length]) ?? "";
    emit({ type: isReasoning ? "reasoning" : "text", text: piece });
    // A listener may have aborted the call.
    if (signal.aborted) throw abortError(signal.reason);
  }
}
