import {
  type Message,
  type Payload,
  TenterhookError,
  type ToolDefinition,
  type ToolUse,
} from "@tenterhook/protocol";
import type { ModelAnswer } from "../model/model.ts";
import type { Models } from "../model/models.ts";
import { type OperationFacts, withSpans } from "../telemetry/agent-instrument.ts";
import { attempt } from "./attempts.ts";
import { boundedAnswer } from "./bounded-answer.ts";
import { Display } from "./display.ts";
import type { LoopSettings } from "./loop-settings.ts";
import { changedAnswer, readAnswer, toolUsesOf } from "./model-answer.ts";
import { recover, Settled, toError } from "./recovery.ts";
import type { RunScope } from "./run-scope.ts";

/** What a model call came to. */
export type Answered =
  /** `hasShown`: its text was streamed already. */
  | { readonly type: "answered"; readonly answer: ModelAnswer; readonly hasShown: boolean }
  /** Hooks refused the answer; the model is told why. */
  | { readonly type: "refused"; readonly reason: string }
  /** It failed, and a hook dealt with that without giving an answer. */
  | { readonly type: "suppressed" };

export interface ModelCall {
  readonly systemPrompt: string;
  readonly messages: readonly Message[];
  readonly tools: readonly ToolDefinition[];
  readonly outputSchema?: object | undefined;
  /** What the call is for, where it is not the next step: `compaction`. */
  readonly purpose?: string;
}

type Status = NonNullable<Payload<"after_llm">["status"]>;

/** Asks the model, inside its hooks: `before_llm`, the wrappers, `on_error`, `after_llm`. */
export function callModel(
  run: RunScope,
  models: Models,
  settings: LoopSettings,
  call: ModelCall,
): Promise<Answered> {
  const { modelId, provider } = models.get(settings.modelName);
  return withSpans(
    run.shares.instruments,
    () => ({
      type: "chat",
      model: modelId,
      provider,
      sessionId: run.identity.sessionId,
      purpose: call.purpose,
    }),
    async (note) => {
      const system: Message[] =
        call.systemPrompt === "" ? [] : [{ role: "system", content: call.systemPrompt }];
      const request = {
        messages: [...system, ...call.messages],
        tools: call.tools as ToolDefinition[],
        systemPrompt: call.systemPrompt,
        model: settings.modelName,
        ...(call.purpose !== undefined && { context: { purpose: call.purpose } }),
      };
      const startedAt = performance.now();
      const over = (asked: Asked, status: Status, answer?: ModelAnswer, toolUses: ToolUse[] = []) =>
        run.tell("after_llm", {
          ...asked,
          text: answer?.text ?? "",
          toolUses,
          usage: answer?.usage,
          durationMs: performance.now() - startedAt,
          status,
        });

      let asked: Asked = request;
      let status: Status = "completed";
      let answer: ModelAnswer;
      let display = new Display(run, false);
      try {
        const before = await run.ask("before_llm", request);
        asked = requestOf(before.payload, request);
        if (before.action === "fail") {
          const reason = before.reason ?? "a hook refused the model call";
          throw new Settled(
            before.error ?? new TenterhookError("model_call_refused", reason, { hook: before.hook }),
          );
        }
        if (before.action === "skip") {
          status = "skipped";
          answer = boundedAnswer(readAnswer(before.result, `hook "${before.hook}"`));
        } else {
          if (call.purpose === undefined) display = await Display.forAnswer(run);
          const found = await answerFor(run, models, settings, call, asked, display, note);
          if (found === undefined) {
            note({ outcome: "suppressed" });
            await over(asked, "failed");
            return { type: "suppressed" };
          }
          answer = found;
        }
      } catch (error) {
        await over(asked, run.signal.aborted ? "stopped" : "failed");
        throw error;
      }
      run.addUsage(answer.usage);
      note({
        usage: answer.usage,
        finishReason: answer.finishReason,
        responseModel: answer.modelId,
        output: answer.message,
        outcome: status,
      });
      const offered = toolUsesOf(answer);
      const after = await over(asked, status, answer, offered);
      if (after.action === "fail")
        throw new Settled(after.error ?? new Error(after.reason ?? "a hook failed"));
      if (after.action === "refuse") {
        note({ outcome: "refused" });
        return { type: "refused", reason: after.reason ?? "no reason given" };
      }
      return { type: "answered", answer: judged(answer, offered, after.payload), hasShown: display.hasShown };
    },
  );
}

type Asked = Pick<Payload<"before_llm">, "messages" | "tools" | "systemPrompt" | "model" | "context">;

/** The request after the hooks. A changed system prompt is the first message; a changed first message is the system prompt. */
function requestOf(payload: Payload<"before_llm">, request: Asked): Asked {
  const { tools, model, context } = payload;
  let { messages, systemPrompt } = payload;
  const [first, ...rest] = messages;
  if (systemPrompt !== request.systemPrompt) {
    messages = [{ role: "system", content: systemPrompt }, ...(first?.role === "system" ? rest : messages)];
  } else if (first?.role === "system" && typeof first.content === "string") systemPrompt = first.content;
  return { messages, tools, systemPrompt, model, ...(context !== undefined && { context }) };
}

/** Makes the call inside the wrappers; when it fails, hooks may answer instead, or deal with it without an answer. */
async function answerFor(
  run: RunScope,
  models: Models,
  settings: LoopSettings,
  call: ModelCall,
  asked: Asked,
  display: Display,
  note: (facts: OperationFacts) => void,
): Promise<ModelAnswer | undefined> {
  try {
    const given = await run.hooks.call(
      "around_llm",
      run.payload<"before_llm">(asked),
      ({ model: name }) => {
        const model = models.get(name ?? settings.modelName);
        note({
          model: model.modelId,
          provider: model.provider,
          input: asked.messages,
          settings: settings.modelSettings,
          streams: display.isLive,
          wantsJson: call.outputSchema !== undefined,
        });
        const request = {
          messages: asked.messages,
          tools: asked.tools ?? [],
          outputSchema: call.outputSchema,
          settings: settings.modelSettings,
          signal: run.signal,
        };
        return attempt(run, model, request, settings, display);
      },
      run.options,
    );
    run.checkAborted();
    return boundedAnswer(readAnswer(given, "a wrapper of the model call"));
  } catch (error) {
    run.checkAborted();
    note({ error: toError(error) });
    const recovery = await recover(run, error, { phase: "llm" });
    if (recovery.type === "stands") throw new Settled(recovery.error);
    if (recovery.type === "suppressed") return undefined;
    return boundedAnswer(readAnswer(recovery.result, "an on_error hook"));
  }
}

function judged(answer: ModelAnswer, offered: readonly ToolUse[], after: Payload<"after_llm">): ModelAnswer {
  const { text, toolUses } = after;
  if (text === answer.text && toolUses === offered) return answer;
  return boundedAnswer(changedAnswer(answer, text, toolUses === offered ? undefined : toolUses));
}
