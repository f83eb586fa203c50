import { TenterhookError, type Usage } from "@tenterhook/protocol";
import type { ModelRequest } from "../model/model.ts";

export interface ScriptedToolCall {
  readonly name: string;
  /** Parsed arguments; a text, together with `invalid`, stands for arguments that are no JSON. */
  readonly input: unknown;
  /** Default `call-1`, `call-2`, … in the order of the calls. */
  readonly id?: string | undefined;
  /** Why the call cannot be carried out. */
  readonly invalid?: string | undefined;
  /** The provider carried the call out itself. */
  readonly executed?: { readonly result: unknown; readonly isError?: boolean | undefined } | undefined;
}

export interface ScriptedAnswer {
  readonly text?: string | undefined;
  readonly reasoning?: string | undefined;
  readonly toolCalls?: readonly ScriptedToolCall[] | undefined;
  /** Default: a token for every four letters of the conversation and of the answer. */
  readonly usage?: Usage | undefined;
  /** Default `tool-calls` when there is something to call, else `stop`. */
  readonly finishReason?: string | undefined;
  /** Half the answer comes, and then the connection is `cut`, or nothing more (`stall`) until the call is aborted. */
  readonly halfway?: "cut" | "stall" | undefined;
  readonly error?: undefined;
}

/** What the call is rejected with; over HTTP an error's `statusCode` (default 500) and `responseHeaders` count. */
export interface ScriptedFailure {
  readonly error: Error;
}

/** One answer of a model: a text, a text with tool calls and more, or a failure. */
export type ScriptedTurn = string | ScriptedAnswer | ScriptedFailure;

/** The answers of a model in their order. A function sees what was asked, and may let the answer wait. */
export type Script<Request = ModelRequest> = readonly (
  | ScriptedTurn
  | ((request: Request, index: number) => ScriptedTurn | Promise<ScriptedTurn>)
)[];

/** Goes through a script, turn by turn. */
export class ScriptPlayer<Request> {
  readonly #script: Script<Request>;
  readonly #repeat: boolean;
  #callIds = 0;
  /** How many turns were asked for. */
  calls = 0;

  constructor(script: Script<Request>, repeat = false) {
    this.#script = script;
    this.#repeat = repeat;
  }

  /** The next turn, and throws `script_ended` when there is none. */
  next(request: Request): ScriptedTurn | Promise<ScriptedTurn> {
    const index = this.calls++;
    const { length } = this.#script;
    const turn = this.#script[this.#repeat ? index % length : index];
    if (turn === undefined) {
      throw new TenterhookError(
        "script_ended",
        `the script has ${length} ${length === 1 ? "turn" : "turns"}, and the model was asked for turn ${index + 1}.`,
        { hint: "Give it more turns, or `repeat: true` to start over." },
      );
    }
    return typeof turn === "function" ? turn(request, index) : turn;
  }

  /** Goes on counting when a script is repeated: ids must be unique in a conversation. */
  callId(): string {
    return `call-${++this.#callIds}`;
  }
}
