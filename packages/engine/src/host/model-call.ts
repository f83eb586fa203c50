import { isRecord } from "@tenterhook/internal";
import {
  type Message,
  type Payload,
  TenterhookError,
  type ToolDefinition,
  type ToolUse,
} from "@tenterhook/protocol";
import { snapshot } from "../answer/snapshot.ts";
import { toError } from "./errors.ts";
import type { HookedAnswer, HookedRequest, ModelPort } from "./model-port.ts";
import { offerError } from "./recovery.ts";
import { hasWrappers } from "./registered-hooks.ts";
import { type HostRun, type OwnFields, stateOf } from "./run.ts";

/** What a model call ends with. */
export type ModelEnd<Response> =
  /** The response as hooks changed it. A hook gave it in place of the model, which was not called (`skipped`) or failed (`recovered`). */
  | {
      readonly type: "answered";
      readonly response: Response;
      readonly status: "completed" | "skipped" | "recovered";
    }
  /** Hooks refused the answer; the model is to get the reason. */
  | { readonly type: "refused"; readonly reason: string }
  /** It failed, and a hook handled the error without an answer. */
  | { readonly type: "suppressed" };

/**
 * Calls the model with its hooks: `before_llm`, `around_llm`, `on_error`, `after_llm`. When hooks refuse the answer, or handle an
 * error without an answer, the model is called again. Rejects after a stop, with the refusal of a hook (`model_call_refused`,
 * `answer_refused`), or with an error that no hook recovered.
 */
export async function callModel<Request, Response>(
  run: HostRun,
  request: Request,
  port: ModelPort<Request, Response>,
): Promise<Response> {
  for (let current = request; ; ) {
    const end = await askModel(run, current, port);
    if (end.type === "answered") return end.response;
    countRefusal(run, end);
    if (end.type === "refused") current = port.addFeedback?.(current, refusalText(end.reason)) ?? current;
  }
}

/** Calls the model once, with the same hooks: for hosts whose next step tells the model why its answer was refused. Rejects as `callModel`. */
export async function askModel<Request, Response>(
  run: HostRun,
  request: Request,
  port: ModelPort<Request, Response>,
): Promise<ModelEnd<Response>> {
  const call = await beginModelCall(run, request, port);
  let { response } = call;
  if (response === undefined) {
    try {
      response = await call.ask();
    } catch (error) {
      const recovery = await call.recover(error);
      if (recovery.type === "suppressed") return recovery;
      response = recovery.response;
    }
  }
  return call.end(response);
}

/** One call of the model in its stages: for hosts that show text while it is written. Each is called once, in this order. */
export interface ModelCall<Request, Response> {
  /** The request as hooks changed it. */
  readonly request: Request;
  /** The response that a hook gave instead of the model, which is not called then. */
  readonly response: Response | undefined;
  /** Calls the model by the port, inside the wrappers. */
  ask(): Promise<Response>;
  /** In its place: runs an operation inside the wrappers, which gets the name of the model that a wrapper redirected to. */
  wrap<R>(operation: (model: string | undefined) => Promise<R>): Promise<R>;
  /** Offers the error of a failed call to hooks. Rejects if none handled it; then the call has ended. */
  recover(
    thrown: unknown,
  ): Promise<{ readonly type: "recovered"; readonly response: Response } | { readonly type: "suppressed" }>;
  /** Fires `after_llm`. */
  end(response: Response): Promise<Exclude<ModelEnd<Response>, { readonly type: "suppressed" }>>;
  /** Fires `after_llm` for a call that has no answer. */
  fail(): Promise<void>;
}

/** Fires `before_llm`. Rejects after a stop, and when a hook refused the call. */
export async function beginModelCall<Request, Response>(
  run: HostRun,
  request: Request,
  port: ModelPort<Request, Response>,
): Promise<ModelCall<Request, Response>> {
  // Of a call that is not made no event is fired.
  run.check();
  const startedAt = performance.now();
  const proposed = readRequest(port.readRequest(request));
  let sent = proposed;
  let status: "completed" | "skipped" | "recovered" = "completed";

  const fireAfter = (
    status: NonNullable<Payload<"after_llm">["status"]>,
    { text, usage }: Omit<HookedAnswer, "toolUses">,
    toolUses: ToolUse[],
  ) => {
    const durationMs = performance.now() - startedAt;
    const fields = { ...sent, text, toolUses, durationMs, status };
    return run.fireAfter("after_llm", usage === undefined ? fields : { ...fields, usage });
  };
  const fail = async () => {
    await fireAfter(run.stopped === undefined ? "failed" : "stopped", NO_ANSWER, []);
  };
  /** Ends the call with the error that a part of it threw. */
  const failBy = async (error: unknown): Promise<unknown> => {
    await fail();
    return error;
  };

  let started: Pick<ModelCall<Request, Response>, "request" | "response">;
  try {
    const before = await run.fire("before_llm", proposed);
    if (before.action === "fail") {
      const { error, reason = "a hook refused the model call", hook } = before;
      throw error ?? new TenterhookError("model_call_refused", reason, { hook });
    }
    const changes = findChanges(before.payload, proposed);
    if (changes !== undefined) sent = { ...proposed, ...changes };
    if (before.action === "skip") {
      status = "skipped";
      started = { request, response: createResponse(port, before.result, `hook "${before.hook}"`) };
    } else {
      const changed = changes === undefined ? request : port.changeRequest(request, changes);
      started = { request: changed, response: undefined };
    }
  } catch (error) {
    throw await failBy(error);
  }

  const wrap = <R>(operation: (model: string | undefined) => Promise<R>): Promise<R> => {
    if (!hasWrappers(run.hooks, "around_llm")) return operation(undefined);
    return run.hooks.call(
      "around_llm",
      run.payload<"before_llm">(sent),
      ({ model }) => operation(model === sent.model ? undefined : model),
      stateOf(run).options,
    );
  };

  return {
    ...started,
    wrap,
    fail,
    async ask() {
      let response: Response;
      if (hasWrappers(run.hooks, "around_llm")) {
        const own = new WeakSet<object>();
        const result: unknown = await wrap(async (model) => {
          const answered = await port.call(started.request, model);
          if (typeof answered === "object" && answered !== null) own.add(answered);
          return answered;
        });
        run.check();
        // A wrapper may return something else than the model did.
        const isOwn = typeof result === "object" && result !== null && own.has(result);
        response = isOwn ? (result as Response) : createResponse(port, result, "a wrapper of the model call");
      } else response = await port.call(started.request, undefined);
      run.check();
      return response;
    },
    async recover(thrown) {
      try {
        run.check();
        const recovery = await offerError(run, thrown, { phase: "llm" });
        if (recovery.type === "unrecovered") throw recovery.error;
        if (recovery.type === "recovered") {
          status = "recovered";
          return { type: "recovered", response: createRecovery(port, recovery.result, thrown) };
        }
      } catch (error) {
        throw await failBy(error);
      }
      await fail();
      return { type: "suppressed" };
    },
    async end(response) {
      let answer: Omit<HookedAnswer, "toolUses">;
      let offered: ToolUse[];
      try {
        const { text, usage, toolUses } = port.readAnswer(response);
        answer = { text, usage: snapshot(usage) };
        offered = snapshot(toolUses) as ToolUse[];
      } catch (error) {
        throw await failBy(error);
      }
      run.steps.recordUsage(answer.usage);
      const after = await fireAfter(status === "skipped" ? status : "completed", answer, offered);
      if (after.action === "fail") throw after.error ?? new Error(after.reason ?? "a hook failed");
      if (after.action === "refuse") return { type: "refused", reason: after.reason ?? "no reason given" };
      const { text, toolUses } = after.payload;
      // A call for another purpose, a summary for example, does not answer the step.
      if (proposed.context?.purpose === undefined) run.steps.recordAnswer(text, toolUses);
      if (text === answer.text && toolUses === offered) return { type: "answered", response, status };
      const changes = { ...(text !== answer.text && { text }), ...(toolUses !== offered && { toolUses }) };
      return { type: "answered", response: port.changeAnswer(response, changes), status };
    },
  };
}

type ModelRequest = OwnFields<"before_llm">;

const NO_ANSWER: HookedAnswer = { text: "", toolUses: [] };

/** What the model reads after hooks refused its answer. */
export function refusalText(reason: string): string {
  return `Your last answer was refused: ${reason}`;
}

const DEFAULT_MAX_REFUSALS = 3;

/** Rejects when the model would be called again too often. */
function countRefusal(run: HostRun, end: Exclude<ModelEnd<unknown>, { readonly type: "answered" }>): void {
  const refusals = ++stateOf(run).refusals;
  if (refusals <= (run.init.maxRefusals ?? DEFAULT_MAX_REFUSALS)) return;
  const what =
    end.type === "refused"
      ? `hooks refused the answers; the last time because: ${end.reason}`
      : "hooks suppressed errors of the model call, without an answer";
  throw new TenterhookError("answer_refused", `${what} (${refusals} times, which is more than the limit)`);
}

/** A response of what a hook or a wrapper gave instead of the model. */
function createResponse<Request, Response>(
  port: ModelPort<Request, Response>,
  given: unknown,
  source: string,
): Response {
  return port.createResponse(readHookAnswer(given, source), given);
}

/** The same of a hook that recovers from an error, which stays that of the run if this is not an answer. */
function createRecovery<Request, Response>(
  port: ModelPort<Request, Response>,
  given: unknown,
  thrown: unknown,
): Response {
  try {
    return createResponse(port, given, "an on_error hook");
  } catch (problem) {
    const error = toError(thrown);
    if (error.cause === undefined && Object.isExtensible(error)) error.cause = problem;
    throw error;
  }
}

/**
 * Reads an answer that did not come from the model: the result of a hook that skipped or recovered, or of a wrapper. It may be a
 * text, or an object with `text` and `toolUses`.
 */
function readHookAnswer(value: unknown, source: string): HookedAnswer {
  if (value === undefined || value === null) return NO_ANSWER;
  if (typeof value === "string") return { text: value, toolUses: [] };
  if (isRecord(value)) {
    const { text = "", toolUses, toolCalls } = value;
    const calls = toolUses ?? toolCalls ?? [];
    if (typeof text === "string" && Array.isArray(calls)) return { text, toolUses: calls as ToolUse[] };
  }
  const problem = `${source} gave an answer that is neither text nor { text, toolUses }.`;
  throw new TenterhookError("bad_outcome", problem);
}

/** The request as the events have it. It is frozen, because hooks and traces keep references to it. */
function readRequest({ messages, tools, systemPrompt, model, context }: HookedRequest): ModelRequest {
  return {
    messages: snapshot(messages) as Message[],
    ...(tools !== undefined && { tools: snapshot(tools) as ToolDefinition[] }),
    ...(systemPrompt !== undefined && { systemPrompt }),
    ...(model !== undefined && { model }),
    ...(context !== undefined && { context }),
  };
}

/** What hooks changed. A changed system prompt becomes the first message, and a changed first message the system prompt. */
function findChanges(payload: Payload<"before_llm">, request: ModelRequest) {
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
