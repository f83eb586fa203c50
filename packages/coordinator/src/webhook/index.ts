export { type AddressPolicy, readAddressPolicy } from "./address-policy.ts";
export { callWebhook } from "./call-webhook.ts";
export type { HostAddress, Lookup } from "./target.ts";
export { type VerifyOptions, verifyWebhook, type WebhookHeaders } from "./verify-webhook.ts";
export type { WebhookAnswer, WebhookCall, WebhookOptions } from "./webhook-call.ts";
export { WEBHOOK_FAILURES, type WebhookFailureCode } from "./webhook-failure.ts";
