import { callWebhook } from "../call-webhook.ts";
import type { WebhookCall, WebhookOptions, WebhookResult } from "../webhook-call.ts";

export const SAMPLE_KEY = "whsec-k3y";
export const SAMPLE_BODY = { run_id: "r-1", parameters: { city: "Zürich" } };

/** A call that only its address makes special. */
const SAMPLE_CALL = {
  method: "POST",
  headers: {},
  body: SAMPLE_BODY,
  hookType: "on_run_start",
  isResponseRead: true,
  idempotencyKey: "hook-1",
  deadlineMs: 10_000,
} as const satisfies Omit<WebhookCall, "url">;

/** Allows 127.0.0.1 and no other private address. Pauses end at once. */
const SAMPLE_OPTIONS = {
  variables: {},
  signingKey: SAMPLE_KEY,
  allowPrivate: ["127.0.0.1/32"],
  random: () => 0,
  pause: async () => {},
} as const satisfies WebhookOptions;

/** Calls a webhook like the samples, with what a test cares about. */
export function call(
  url: string,
  {
    signal = new AbortController().signal,
    ...given
  }: Partial<WebhookCall & WebhookOptions> & { readonly signal?: AbortSignal } = {},
): Promise<WebhookResult> {
  return callWebhook({ ...SAMPLE_CALL, ...given, url }, { ...SAMPLE_OPTIONS, ...given }, signal);
}
