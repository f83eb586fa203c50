import type * as sdk from "@strands-agents/sdk";
import { TenterhookError } from "@tenterhook/protocol";
import { type Ending, holdAtStop } from "../core/index.ts";
import type { Invocation, Refusal, Sdk } from "./invocation.ts";
import { readText, withText } from "./messages.ts";

/** The text of the user's messages. */
export function readInputs(inputs: readonly sdk.Message[]): string {
  return inputs.map(readText).join("\n\n");
}

/** Puts the changed text into the last of the user's messages; of the others only what is not text remains. */
export function replaceInputs(
  sdkModule: Sdk,
  messages: sdk.Message[],
  inputs: readonly sdk.Message[],
  text: string,
): void {
  for (const input of inputs) {
    const index = messages.indexOf(input);
    if (index < 0) continue;
    const isLast = input === inputs.at(-1);
    const others = input.content.filter(({ type }) => type !== "textBlock");
    if (isLast) messages[index] = withText(sdkModule, input, text);
    else if (others.length === 0) messages.splice(index, 1);
    else messages[index] = new sdkModule.Message({ role: "user", content: others });
  }
}

/** Whether the turn ended with an answer of the model, and not by a stop, a refusal or a failure. */
export function hasAnswered(invocation: Invocation): boolean {
  const { run, failure, modelError, refusal, answer, hasStructuredOutput } = invocation;
  if (run.stopped !== undefined || (failure ?? modelError) !== undefined || refusal !== undefined)
    return false;
  return answer !== undefined || hasStructuredOutput;
}

/** How the turn ended. Strands' event does not tell: it is concluded from what came before. */
export async function readEnding(
  invocation: Invocation,
): Promise<
  { readonly type: "stop"; readonly ending: Ending } | { readonly type: "go_on"; readonly feedback: string }
> {
  const { run, refusal, answer } = invocation;
  const text = answer === undefined ? undefined : readText(answer);
  const end = (status: Ending["status"], error?: Error) =>
    ({ type: "stop", ending: { status, text, ...(error !== undefined && { error }) } }) as const;
  if (run.stopped !== undefined) return end("stopped", run.stopped.error);
  const failure = invocation.failure ?? invocation.modelError;
  if (failure !== undefined) return end("failed", failure);
  if (refusal !== undefined) return end("stopped", refusal.error);
  if (!hasAnswered(invocation)) return end("stopped");
  const answered = await holdAtStop(run, text ?? run.steps.text);
  return answered.type === "go_on" ? answered : end("completed");
}

/** Whether hooks refused the message: else a guard failed about it. */
export function isRefused({ error }: Refusal): boolean {
  return TenterhookError.isInstance(error) && error.code === "turn_refused";
}

/** A refused message, and the reason as its answer, do not belong to the conversation. */
export function forgetTurn(messages: sdk.Message[], { inputs, answer }: Invocation): void {
  for (const message of [...inputs, ...(answer === undefined ? [] : [answer])]) {
    const index = messages.indexOf(message);
    if (index >= 0) messages.splice(index, 1);
  }
}
