import type { WebhookAnswer } from "./webhook-call.ts";
import { WebhookFailure } from "./webhook-failure.ts";

/** Makes a value of a failure; throws what is none, because that is a defect of ours. */
export function failedAnswer(error: unknown, attempts: number, earlier?: WebhookFailure): WebhookAnswer {
  if (!(error instanceof WebhookFailure)) throw error;
  const { code, status } = error;
  const words = [error.message];
  if (attempts > 1) words.push(`It was tried ${attempts} times.`);
  // The refusal of a receiver is a better reason than the timeout that ended the retries.
  if (earlier !== undefined && earlier.message !== error.message)
    words.push(`Before that: ${earlier.message}`);
  return { type: "failed", code, reason: words.join(" "), status, attempts };
}
