// What the README and the docs describe; everything else is internal.
export type { Database } from "./database/database.ts";
export { type DatabaseOptions, openDatabase } from "./database/open-database.ts";
export type { Limits } from "./domain/limits.ts";
export type { HttpOptions } from "./http/serve-http.ts";
export { type ServedCoordinator, type ServeOptions, serveCoordinator } from "./serve.ts";
export { verifyWebhook, type WebhookOptions } from "./webhook/index.ts";
