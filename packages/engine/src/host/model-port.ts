import type { Message, Payload, ToolDefinition, ToolUse, Usage } from "@tenterhook/protocol";

/** A request to the model as hooks see it. */
export interface HookedRequest {
  /** With the system prompt as the first message, where there is one. */
  readonly messages: readonly Message[];
  readonly tools?: readonly ToolDefinition[] | undefined;
  readonly systemPrompt?: string | undefined;
  readonly model?: string | undefined;
  readonly context?: Payload<"before_llm">["context"];
}

/** An answer of the model as hooks see it. */
export interface HookedAnswer {
  readonly text: string;
  /** Without the calls that the provider has executed. */
  readonly toolUses: readonly ToolUse[];
  readonly usage?: Usage | undefined;
}

/** The fields that hooks changed; the others are absent. */
export type RequestChanges = Partial<Pick<HookedRequest, "messages" | "tools" | "systemPrompt" | "model">>;

/** The fields that hooks changed; the others are absent. */
export type AnswerChanges = Partial<Pick<HookedAnswer, "text" | "toolUses">>;

/**
 * How a host calls a model. `Request` and `Response` are the host's own values. What a function throws that reads or writes one of them
 * fails the call; no `on_error` hook is asked about it, nor about what hooks gave before and after the call.
 */
export interface ModelPort<Request, Response> {
  /** The request as hooks see it; it is frozen afterwards. Called once. It may throw. */
  readRequest(request: Request): HookedRequest;
  /** The request with the changes of hooks. It may throw: `unsupported_hook` for a change that the host cannot carry. */
  changeRequest(request: Request, changes: RequestChanges): Request;
  /**
   * Calls the model, or the one that a wrapper redirected to; again if a wrapper calls `next` again. What it rejects with is offered to
   * `on_error`. A host that streams collects the whole answer here.
   */
  call(request: Request, model: string | undefined): PromiseLike<Response>;
  /** The answer as hooks see it. Called once for each response. It may throw. */
  readAnswer(response: Response): HookedAnswer;
  /** The response with the changes of hooks. It may throw. */
  changeAnswer(response: Response, changes: AnswerChanges): Response;
  /** A response that did not come from the model: `given` by a hook or a wrapper, and read as an answer. It may throw. */
  createResponse(answer: HookedAnswer, given: unknown): Response;
  /** The request with a user message at its end: why the last answer was refused. For `callModel`. It must not throw. */
  addFeedback?(request: Request, feedback: string): Request;
}

/** The port of a host whose requests and answers are as hooks see them. `call` may reject; its request names the model that is to answer. */
export function plainModel(
  call: (request: HookedRequest) => PromiseLike<HookedAnswer>,
): ModelPort<HookedRequest, HookedAnswer> {
  return {
    readRequest: (request) => request,
    changeRequest: (request, changes) => ({ ...request, ...changes }),
    call: (request, model) => call(model === undefined ? request : { ...request, model }),
    readAnswer: (answer) => answer,
    changeAnswer: (answer, changes) => ({ ...answer, ...changes }),
    createResponse: (answer) => answer,
    addFeedback: (request, content) => ({
      ...request,
      messages: [...request.messages, { role: "user", content }],
    }),
  };
}
