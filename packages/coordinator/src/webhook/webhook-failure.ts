/** Every way in which the call of a webhook can fail. */
export type WebhookFailureCode =
  | "bad_url"
  | "bad_header"
  | "unknown_variable"
  | "address_refused"
  | "lookup_failed"
  | "connection_failed"
  | "redirect_refused"
  | "bad_status"
  | "bad_response"
  | "response_too_large"
  | "timed_out"
  /** The caller no longer needs the response. */
  | "cancelled";

export interface FailureDetails {
  /** Whether the same call may succeed a little later. Default: false. */
  readonly isRetryable?: boolean;
  readonly status?: number | undefined;
  /** How long the receiver asks to wait before the next attempt. */
  readonly retryAfterMs?: number | undefined;
}

/**
 * A failure on its way up to `callWebhook`, which returns it as a result. The message is for people and must never contain the
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
