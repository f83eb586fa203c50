import type { Dispatch } from "@tenterhook/engine";
import { hasWrappers, snapshot } from "@tenterhook/engine/host";
import {
  type Message,
  type Payload,
  TenterhookError,
  type ToolDefinition,
  type ToolUse,
} from "@tenterhook/protocol";
import { refusalText } from "./context-text.ts";
import type { HookedRun } from "./hooked-run.ts";
import type { AnswerChanges, ModelAnswer, ModelForm, ModelRequest, RequestChanges } from "./model-form.ts";
import { readHookAnswer } from "./read-answer.ts";
import { offerToErrorHooks } from "./recovery.ts";

const DEFAULT_MAX_REFUSALS = 3;

/**
 * Calls the model with its hooks: `before_llm`, `around_llm`, `on_error`, `after_llm`. When hooks refuse the answer, or handle an
 * error without an answer, the model is called again. Rejects with `run.stopped`, with the refusal of a hook (`model_call_refused`,
 * `answer_refused`), or with an error that no hook recovered.
 */
export async function callModel<Request, Response>(
  run: HookedRun,
  request: Request,
  form: ModelForm<Request, Response>,
): Promise<Response> {
  for (let current = request; ; ) {
    const call = new HookedModelCall(run, form);
    const sent = await call.begin(current);
    const response = sent.type === "skipped" ? sent.response : await call.answer(sent.request);
    if (response === undefined) continue;
    const end = await call.end(response);
    if (end.type === "answered") return end.response;
    current = form.addFeedback(current, refusalText(end.reason));
  }
}

type Status = NonNullable<Payload<"after_llm">["status"]>;

/** One call of the model, in its stages. A streaming adapter that shows text while it is written calls them itself. */
export class HookedModelCall<Request, Response> {
  readonly #run: HookedRun;
  readonly #form: ModelForm<Request, Response>;
  readonly #startedAt = performance.now();
  #sent: ModelRequest | undefined;
  #status: Status = "completed";

  constructor(run: HookedRun, form: ModelForm<Request, Response>) {
    this.#run = run;
    this.#form = form;
  }

  /** Fires `before_llm`: the request as hooks changed it, or the response that a hook gave instead of the model. */
  async begin(
    request: Request,
  ): Promise<
    | { readonly type: "call"; readonly request: Request }
    | { readonly type: "skipped"; readonly response: Response }
  > {
    const run = this.#run;
    // Of a call that is not made no event is fired.
    run.checkStopped();
    const proposed = freezeRequest(this.#form.readRequest(request));
    this.#sent = proposed;
    try {
      const before = await run.fire("before_llm", eventFields(proposed));
      if (before.action === "fail") throw refusedCall(before);
      const changes = findChanges(before.payload, proposed);
      if (changes !== undefined) this.#sent = { ...proposed, ...changes };
      if (before.action === "skip") {
        this.#status = "skipped";
        const answer = readHookAnswer(before.result, `hook "${before.hook}"`);
        return { type: "skipped", response: this.#form.createResponse(answer) };
      }
      return {
        type: "call",
        request: changes === undefined ? request : this.#form.changeRequest(request, changes),
      };
    } catch (error) {
      await this.fail();
      throw error;
    }
  }

  /** Calls the model inside the wrappers; `undefined` if it failed, and a hook handled the error without an answer. */
  async answer(request: Request): Promise<Response | undefined> {
    const run = this.#run;
    try {
      return await this.#callInside(request);
    } catch (error) {
      try {
        run.checkStopped();
        const recovery = await offerToErrorHooks(run, error, { phase: "llm" });
        if (recovery.type === "unrecovered") throw recovery.error;
        if (recovery.type === "recovered")
          return this.#form.createResponse(readHookAnswer(recovery.result, "an on_error hook"));
        this.#countRefusal("an error of the model call was suppressed", recovery.type);
      } catch (failure) {
        await this.fail();
        throw failure;
      }
      await this.fail();
      return undefined;
    }
  }

  /** Fires `after_llm`: the response as hooks changed it, or why they refused it. Rejects when it was refused too often. */
  async end(
    response: Response,
  ): Promise<
    | { readonly type: "answered"; readonly response: Response }
    | { readonly type: "refused"; readonly reason: string }
  > {
    const run = this.#run;
    const answer = this.#form.readAnswer(response);
    const offered = snapshot(answer.toolUses) as ToolUse[];
    run.steps.recordUsage(answer.usage);
    const after = await this.#fireAfter(this.#status, answer, offered);
    if (after.action === "fail") throw after.error ?? new Error(after.reason ?? "a hook failed");
    if (after.action === "refuse") {
      const reason = after.reason ?? "no reason given";
      this.#countRefusal("hooks refused the answers; the last time because", reason);
      return { type: "refused", reason };
    }
    const { text, toolUses } = after.payload;
    run.steps.recordAnswer(text, toolUses);
    if (text === answer.text && toolUses === offered) return { type: "answered", response };
    const changes: AnswerChanges = {
      ...(text !== answer.text && { text }),
      ...(toolUses !== offered && { toolUses }),
    };
    return { type: "answered", response: this.#form.changeAnswer(response, changes) };
  }

  /** Fires `after_llm` for a call that has no answer. */
  async fail(): Promise<void> {
    const status = this.#run.stopped === undefined ? "failed" : "stopped";
    await this.#fireAfter(status, { text: "", toolUses: [] }, []);
  }

  /** Runs an operation inside the wrappers of the call: `operation` gets the model that a wrapper redirected to. */
  wrap<R>(operation: (model: string | undefined) => Promise<R>): Promise<R> {
    const run = this.#run;
    if (!hasWrappers(run.hooks, "around_llm")) return operation(undefined);
    const sent = this.#sent as ModelRequest;
    const payload = run.payload<"before_llm">(eventFields(sent));
    return run.hooks.call(
      "around_llm",
      payload,
      ({ model }) => operation(model === sent.model ? undefined : model),
      run.dispatchOptions,
    );
  }

  async #callInside(request: Request): Promise<Response> {
    const run = this.#run;
    if (!hasWrappers(run.hooks, "around_llm")) {
      const response = await this.#form.call(request, undefined);
      run.checkStopped();
      return response;
    }
    const responses = new WeakSet<object>();
    const result: unknown = await this.wrap(async (model) => {
      const response = await this.#form.call(request, model);
      if (typeof response === "object" && response !== null) responses.add(response);
      return response;
    });
    run.checkStopped();
    // A wrapper may return something else than what the model did.
    if (typeof result === "object" && result !== null && responses.has(result)) return result as Response;
    return this.#form.createResponse(readHookAnswer(result, "a wrapper of the model call"));
  }

  #fireAfter(status: Status, answer: ModelAnswer, toolUses: ToolUse[]): Promise<Dispatch<"after_llm">> {
    return this.#run.fireAfter("after_llm", {
      text: answer.text,
      toolUses,
      durationMs: performance.now() - this.#startedAt,
      status,
      ...(answer.usage !== undefined && { usage: answer.usage }),
      ...eventFields(this.#sent as ModelRequest),
    });
  }

  #countRefusal(what: string, reason: string): void {
    const run = this.#run;
    if (++run.refusals <= (run.options.maxRefusals ?? DEFAULT_MAX_REFUSALS)) return;
    const problem = `${what}: ${reason} (${run.refusals} times, which is more than the limit)`;
    throw new TenterhookError("answer_refused", problem);
  }
}

function refusedCall({
  error,
  reason = "a hook refused the model call",
  hook,
}: Dispatch<"before_llm">): Error {
  return error ?? new TenterhookError("model_call_refused", reason, { hook });
}

/** Frozen, because hooks and traces keep references to it. */
function freezeRequest({ messages, tools, systemPrompt, model, context }: ModelRequest): ModelRequest {
  return { messages: snapshot(messages), tools: snapshot(tools), systemPrompt, model, context };
}

function eventFields({ messages, tools, systemPrompt, model, context }: ModelRequest) {
  return {
    messages: messages as Message[],
    ...(tools !== undefined && { tools: tools as ToolDefinition[] }),
    ...(systemPrompt !== undefined && { systemPrompt }),
    ...(model !== undefined && { model }),
    ...(context !== undefined && { context }),
  };
}

/** What hooks changed. A changed system prompt becomes the first message, and a changed first message the system prompt. */
function findChanges(payload: Payload<"before_llm">, request: ModelRequest): RequestChanges | undefined {
  const { tools, model } = payload;
  let { messages, systemPrompt } = payload;
  if (
    messages === request.messages &&
    tools === request.tools &&
    systemPrompt === request.systemPrompt &&
    model === request.model
  )
    return undefined;
  const [first, ...rest] = messages;
  if (systemPrompt !== request.systemPrompt && systemPrompt !== undefined) {
    const system = Object.freeze({ role: "system", content: systemPrompt } as const);
    messages = [system, ...(first?.role === "system" ? rest : messages)];
  } else if (messages !== request.messages && first?.role === "system" && typeof first.content === "string")
    systemPrompt = first.content;
  const changes = {
    ...(messages !== request.messages && { messages }),
    ...(tools !== request.tools && tools !== undefined && { tools }),
    ...(systemPrompt !== request.systemPrompt && systemPrompt !== undefined && { systemPrompt }),
    ...(model !== request.model && model !== undefined && { model }),
  };
  return Object.keys(changes).length === 0 ? undefined : changes;
}
