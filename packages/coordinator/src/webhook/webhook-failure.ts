/** Every way in which the call of a webhook can fail. */
export const WEBHOOK_FAILURES = {
  bad_url: "The address is malformed, is not http or https, or has a user or password in it.",
  bad_header: "A header's name or value cannot be sent, or the header is not the blueprint's to set.",
  unknown_variable: "A header asks for a variable that is not on the allow-list.",
  address_refused:
    "The host has an address that may not be called: loopback, private, link-local, metadata, …",
  lookup_failed: "The host's addresses could not be found out.",
  connection_failed: "The connection could not be made, or broke off.",
  redirect_refused: "The answer was a redirect that is not followed.",
  bad_status: "The answer's status was neither a success nor a redirect.",
  bad_answer: "The answer was not JSON, or not HTTP.",
  answer_too_large: "The answer, or its headers, were larger than the limit.",
  timed_out: "There was no answer in time.",
  cancelled: "The caller did not want the answer any more.",
} as const;

export type WebhookFailureCode = keyof typeof WEBHOOK_FAILURES;

export interface FailureDetails {
  /** Whether the same call may succeed a little later. Default: false. */
  readonly isRetryable?: boolean;
  readonly status?: number | undefined;
  /** How long the receiver asks to wait before the next attempt. */
  readonly retryAfterMs?: number | undefined;
}

/**
 * A failure on its way up to `callWebhook`, which returns it as an answer. The message is for people and must never hold the
 * value of a header or a variable, nor anything a receiver wrote: it may have been sent a secret and echo it.
 */
export class WebhookFailure extends Error {
  override readonly name = "WebhookFailure";
  readonly code: WebhookFailureCode;
  readonly isRetryable: boolean;
  readonly status: number | undefined;
  readonly retryAfterMs: number;

  constructor(code: WebhookFailureCode, message: string, details: FailureDetails = {}) {
    super(message);
    this.code = code;
    this.isRetryable = details.isRetryable ?? false;
    this.status = details.status;
    this.retryAfterMs = details.retryAfterMs ?? 0;
  }
}
