import type { WebhookResult } from "./webhook-call.ts";
import { WebhookFailure } from "./webhook-failure.ts";

/** The result of a failed call. Rethrows any other error, which is a defect of the coordinator. */
export function failedResult(error: unknown, attempts: number, earlier?: string): WebhookResult {
  if (!(error instanceof WebhookFailure)) throw error;
  const { code, status } = error;
  const sentences = [error.message];
  if (attempts > 1) sentences.push(`It was tried ${attempts} times.`);
  // The refusal of a receiver is a better reason than the timeout that ended the retries.
  if (earlier !== undefined && earlier !== error.message) sentences.push(`Before that: ${earlier}`);
  return { type: "failed", code, reason: sentences.join(" "), status, attempts };
}
