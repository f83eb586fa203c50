import { isInstanceOf } from "@tenterhook/internal";
import {
  type Message,
  type Payload,
  TenterhookError,
  type ToolDefinition,
  type ToolUse,
} from "@tenterhook/protocol";
import type { ModelAnswer } from "../model/model.ts";
import type { Models } from "../model/models.ts";
import { type OperationFacts, withSpans } from "../run/agent-instrument.ts";
import { FinalError, offerToErrorHooks, toError } from "../run/recovery.ts";
import type { RunContext } from "../run/run-context.ts";
import { RunStopped } from "../run/run-stopped.ts";
import { boundedAnswer } from "./bounded-answer.ts";
import { Display } from "./display.ts";
import type { LoopSettings } from "./loop-settings.ts";
import { changedAnswer, readAnswer, toolUsesOf } from "./model-answer.ts";
import { callWithRetries } from "./retries.ts";

/** The result of a model call. */
export type ModelCallResult =
  /** `hasShown`: its text has been streamed. */
  | { readonly type: "answered"; readonly answer: ModelAnswer; readonly hasShown: boolean }
  /** Hooks refused the answer; the model gets the reason. */
  | { readonly type: "refused"; readonly reason: string }
  /** It failed, and a hook handled the error without an answer. */
  | { readonly type: "suppressed" };

export interface ModelCall {
  readonly systemPrompt: string;
  readonly messages: readonly Message[];
  readonly tools: readonly ToolDefinition[];
  readonly outputSchema?: object | undefined;
  /** The purpose of a call that is not the next step: `compaction`. */
  readonly purpose?: string;
}

type Status = NonNullable<Payload<"after_llm">["status"]>;

/** Calls the model with its hooks: `before_llm`, the wrappers, `on_error`, `after_llm`. */
export function callModel(
  run: RunContext,
  models: Models,
  settings: LoopSettings,
  call: ModelCall,
): Promise<ModelCallResult> {
  const { modelId, provider } = models.get(settings.modelName);
  return withSpans(
    run.resources.instruments,
    () => ({
      type: "chat",
      model: modelId,
      provider,
      sessionId: run.identity.sessionId,
      purpose: call.purpose,
    }),
    async (recordFacts) => {
      let calledModel = modelId;
      const record = (facts: OperationFacts) => {
        // A hook or a wrapper may have chosen another one.
        calledModel = facts.model ?? calledModel;
        recordFacts(facts);
      };
      const system: Message[] =
        call.systemPrompt === ""
          ? []
          : [Object.freeze({ role: "system", content: call.systemPrompt } as const)];
      const proposed = {
        messages: frozenList([...system, ...call.messages]),
        tools: call.tools as ToolDefinition[],
        systemPrompt: call.systemPrompt,
        model: settings.modelName,
        ...(call.purpose !== undefined && { context: { purpose: call.purpose } }),
      };
      const startedAt = performance.now();
      const fireAfter = (
        request: LlmRequest,
        status: Status,
        answer?: ModelAnswer,
        toolUses: ToolUse[] = [],
      ) =>
        run.fireAfter("after_llm", {
          ...request,
          text: answer?.text ?? "",
          toolUses,
          usage: answer?.usage,
          durationMs: performance.now() - startedAt,
          status,
        });

      let sent: LlmRequest = proposed;
      let status: Status = "completed";
      let answer: ModelAnswer;
      let display = new Display(run, false);
      try {
        const before = await run.fire("before_llm", proposed);
        sent = changedRequest(before.payload, proposed);
        if (before.action === "fail") {
          const reason = before.reason ?? "a hook refused the model call";
          throw new FinalError(
            before.error ?? new TenterhookError("model_call_refused", reason, { hook: before.hook }),
          );
        }
        if (before.action === "skip") {
          status = "skipped";
          answer = boundedAnswer(readAnswer(before.result, `hook "${before.hook}"`));
        } else {
          if (call.purpose === undefined) display = await Display.forAnswer(run);
          const given = await answerFor(run, models, settings, call, sent, display, record);
          if (given === undefined) {
            record({ outcome: "suppressed" });
            await fireAfter(sent, "failed");
            return { type: "suppressed" };
          }
          answer = given;
        }
      } catch (error) {
        const isStopped = run.signal.aborted || isInstanceOf(error, RunStopped);
        await fireAfter(sent, isStopped ? "stopped" : "failed");
        throw error;
      }
      run.recordCall(calledModel, answer.usage);
      record({
        usage: answer.usage,
        finishReason: answer.finishReason,
        responseModel: answer.modelId,
        output: answer.message,
        outcome: status,
      });
      const offered = toolUsesOf(answer);
      const after = await fireAfter(sent, status, answer, offered);
      if (after.action === "fail")
        throw new FinalError(after.error ?? new Error(after.reason ?? "a hook failed"));
      if (after.action === "refuse") {
        record({ outcome: "refused" });
        return { type: "refused", reason: after.reason ?? "no reason given" };
      }
      return {
        type: "answered",
        answer: evaluatedAnswer(answer, offered, after.payload),
        hasShown: display.hasShown,
      };
    },
  );
}

type LlmRequest = Pick<Payload<"before_llm">, "messages" | "tools" | "systemPrompt" | "model" | "context">;

/** Its messages are frozen already. */
function frozenList(messages: Message[]): Message[] {
  return Object.freeze(messages) as Message[];
}

/** The request after the hooks. A changed system prompt becomes the first message, and a changed first message the system prompt. */
function changedRequest(payload: Payload<"before_llm">, request: LlmRequest): LlmRequest {
  const { tools, model, context } = payload;
  let { messages, systemPrompt } = payload;
  const [first, ...rest] = messages;
  if (systemPrompt !== request.systemPrompt) {
    const system = Object.freeze({ role: "system", content: systemPrompt } as const);
    messages = frozenList([system, ...(first?.role === "system" ? rest : messages)]);
  } else if (first?.role === "system" && typeof first.content === "string") systemPrompt = first.content;
  return { messages, tools, systemPrompt, model, ...(context !== undefined && { context }) };
}

/** Makes the call inside the wrappers; if it fails, hooks may answer instead, or handle the error without an answer. */
async function answerFor(
  run: RunContext,
  models: Models,
  settings: LoopSettings,
  call: ModelCall,
  sent: LlmRequest,
  display: Display,
  record: (facts: OperationFacts) => void,
): Promise<ModelAnswer | undefined> {
  try {
    const given = await run.hooks.call(
      "around_llm",
      run.payload<"before_llm">(sent),
      ({ model: name }) => {
        const model = models.get(name ?? settings.modelName);
        record({
          model: model.modelId,
          provider: model.provider,
          input: sent.messages,
          settings: settings.modelSettings,
          streams: display.isLive,
          wantsJson: call.outputSchema !== undefined,
        });
        const request = {
          messages: sent.messages,
          tools: sent.tools ?? [],
          outputSchema: call.outputSchema,
          settings: settings.modelSettings,
          signal: run.signal,
        };
        return callWithRetries(run, model, request, settings, display);
      },
      run.options,
    );
    run.checkAborted();
    return boundedAnswer(readAnswer(given, "a wrapper of the model call"));
  } catch (error) {
    run.checkAborted();
    record({ error: toError(error) });
    const recovery = await offerToErrorHooks(run, error, { phase: "llm" });
    if (recovery.type === "unrecovered") throw new FinalError(recovery.error);
    if (recovery.type === "suppressed") return undefined;
    return boundedAnswer(readAnswer(recovery.result, "an on_error hook"));
  }
}

function evaluatedAnswer(
  answer: ModelAnswer,
  offered: readonly ToolUse[],
  after: Payload<"after_llm">,
): ModelAnswer {
  const { text, toolUses } = after;
  if (text === answer.text && toolUses === offered) return answer;
  return boundedAnswer(changedAnswer(answer, text, toolUses === offered ? undefined : toolUses));
}
