import { performance } from "node:perf_hooks";
import {
  type Message,
  type Payload,
  TenterhookError,
  type ToolDefinition,
  type ToolUse,
} from "@tenterhook/protocol";
import { snapshot } from "../answer/snapshot.ts";
import type { Dispatch } from "../run/dispatch.ts";
import { refusalText } from "./context-text.ts";
import type { HookedRun, OwnFields } from "./hooked-run.ts";
import type { AnswerChanges, ModelAnswer, ModelForm, ModelRequest, RequestChanges } from "./model-form.ts";
import { readHookAnswer } from "./read-answer.ts";
import { offerToErrorHooks } from "./recovery.ts";
import { hasWrappers } from "./registered-hooks.ts";

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
    // What has no promise is not awaited: quiet hooks must not delay the call.
    const beginning = call.begin(current);
    const sent = beginning instanceof Promise ? await beginning : beginning;
    let response: Response | undefined;
    if (sent.type === "skipped") response = sent.response;
    else
      try {
        response = await call.answer(sent.request);
        run.checkStopped();
      } catch (error) {
        response = await call.recover(error);
      }
    if (response === undefined) continue;
    const ending = call.end(response);
    const end = ending instanceof Promise ? await ending : ending;
    if (end.type === "answered") return end.response;
    current = form.addFeedback(current, refusalText(end.reason));
  }
}

type Status = NonNullable<Payload<"after_llm">["status"]>;

/** The request as hooks changed it, or the response that a hook gave instead of the model. */
export type CallBeginning<Request, Response> =
  | { readonly type: "call"; readonly request: Request }
  | { readonly type: "skipped"; readonly response: Response };

/** The response as hooks changed it, or why they refused it. */
export type CallEnd<Response> =
  | { readonly type: "answered"; readonly response: Response }
  | { readonly type: "refused"; readonly reason: string };

/**
 * One call of the model, in its stages. A streaming adapter that shows text while it is written calls them itself. A stage returns a
 * promise only if a hook did.
 */
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

  /** Fires `before_llm`. */
  begin(request: Request): CallBeginning<Request, Response> | Promise<CallBeginning<Request, Response>> {
    const run = this.#run;
    // Of a call that is not made no event is fired.
    run.checkStopped();
    const proposed = freezeRequest(this.#form.readRequest(request));
    this.#sent = proposed;
    try {
      const firing = run.fire("before_llm", eventFields(proposed));
      return firing instanceof Promise
        ? firing
            .then((before) => this.#accept(request, proposed, before))
            .catch((error: unknown) => this.#reject(error))
        : this.#accept(request, proposed, firing);
    } catch (error) {
      return this.#reject(error);
    }
  }

  /** Calls the model inside the wrappers. */
  answer(request: Request): PromiseLike<Response> {
    return hasWrappers(this.#run.hooks, "around_llm")
      ? this.#callInside(request)
      : this.#form.call(request, undefined);
  }

  /** Offers the error of a failed call to hooks; `undefined` if one handled it without an answer. Rejects if none did. */
  async recover(error: unknown): Promise<Response | undefined> {
    const run = this.#run;
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

  /** Fires `after_llm`. Throws or rejects when the answer was refused too often. */
  end(response: Response): CallEnd<Response> | Promise<CallEnd<Response>> {
    const answer = this.#form.readAnswer(response);
    const offered = snapshot(answer.toolUses) as ToolUse[];
    this.#run.steps.recordUsage(answer.usage);
    const firing = this.#fireAfter(this.#status, answer, offered);
    return firing instanceof Promise
      ? firing.then((after) => this.#acceptAnswer(response, answer, offered, after))
      : this.#acceptAnswer(response, answer, offered, firing);
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

  #accept(
    request: Request,
    proposed: ModelRequest,
    before: Dispatch<"before_llm">,
  ): CallBeginning<Request, Response> {
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
  }

  /** Ends a call that hooks refused before it was made. */
  async #reject(error: unknown): Promise<never> {
    await this.fail();
    throw error;
  }

  #acceptAnswer(
    response: Response,
    answer: ModelAnswer,
    offered: ToolUse[],
    after: Dispatch<"after_llm">,
  ): CallEnd<Response> {
    if (after.action === "fail") throw after.error ?? new Error(after.reason ?? "a hook failed");
    if (after.action === "refuse") {
      const reason = after.reason ?? "no reason given";
      this.#countRefusal("hooks refused the answers; the last time because", reason);
      return { type: "refused", reason };
    }
    const { text, toolUses } = after.payload;
    this.#run.steps.recordAnswer(text, toolUses);
    if (text === answer.text && toolUses === offered) return { type: "answered", response };
    const changes: AnswerChanges = {
      ...(text !== answer.text && { text }),
      ...(toolUses !== offered && { toolUses }),
    };
    return { type: "answered", response: this.#form.changeAnswer(response, changes) };
  }

  async #callInside(request: Request): Promise<Response> {
    const run = this.#run;
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

  #fireAfter(status: Status, { text, usage }: ModelAnswer, toolUses: ToolUse[]) {
    const durationMs = performance.now() - this.#startedAt;
    const sent = eventFields(this.#sent as ModelRequest);
    const ended = Object.assign(sent, { text, toolUses, durationMs, status });
    return this.#run.fireAfter("after_llm", usage === undefined ? ended : Object.assign(ended, { usage }));
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

/** Not one object with parts that may be absent: a property that follows a spread takes longer than all others together. */
function eventFields({ messages, tools, systemPrompt, model, context }: ModelRequest) {
  const fields: OwnFields<"before_llm"> = { messages: messages as Message[] };
  if (tools !== undefined) fields.tools = tools as ToolDefinition[];
  if (systemPrompt !== undefined) fields.systemPrompt = systemPrompt;
  if (model !== undefined) fields.model = model;
  if (context !== undefined) fields.context = context;
  return fields;
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
