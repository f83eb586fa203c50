export { type AddressPolicy, readAddressPolicy, refusedTarget } from "./address-policy.ts";
export { attemptWebhook, callWebhook } from "./call-webhook.ts";
export { verifyWebhook } from "./verify-webhook.ts";
export type { WebhookOptions } from "./webhook-call.ts";
