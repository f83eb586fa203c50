import type { Message, Payload, ToolDefinition, ToolUse, Usage } from "@tenterhook/protocol";

/** A request to the model as hooks see it. */
export interface ModelRequest {
  /** With the system prompt as the first message, where there is one. */
  readonly messages: readonly Message[];
  readonly tools?: readonly ToolDefinition[] | undefined;
  readonly systemPrompt?: string | undefined;
  readonly model?: string | undefined;
  readonly context?: Payload<"before_llm">["context"];
}

/** An answer of the model as hooks see it. */
export interface ModelAnswer {
  readonly text: string;
  /** Without the calls that the provider has executed. */
  readonly toolUses: readonly ToolUse[];
  readonly usage?: Usage | undefined;
}

/** The fields that hooks changed; the others are absent. */
export type RequestChanges = Partial<Pick<ModelRequest, "messages" | "tools" | "systemPrompt" | "model">>;

/** The fields that hooks changed; the others are absent. */
export type AnswerChanges = Partial<Pick<ModelAnswer, "text" | "toolUses">>;

/** Translates between a framework's model call and hooks. `Request` and `Response` are the framework's own values. */
export interface ModelForm<Request, Response> {
  /** The request as hooks see it. It is frozen by the caller. */
  readRequest(request: Request): ModelRequest;
  /** The request with the changes of hooks. Throws `unsupported_hook` for one that the framework cannot carry. */
  changeRequest(request: Request, changes: RequestChanges): Request;
  /** Calls the model, or the one that a wrapper redirected to. It may throw. A streaming adapter collects the whole answer here. */
  call(request: Request, model: string | undefined): PromiseLike<Response>;
  readAnswer(response: Response): ModelAnswer;
  changeAnswer(response: Response, changes: AnswerChanges): Response;
  /** A response that did not come from the model: a hook's, or a wrapper's. */
  createResponse(answer: ModelAnswer): Response;
  /** The request with a user message at its end: why the last answer was refused. */
  addFeedback(request: Request, feedback: string): Request;
}
