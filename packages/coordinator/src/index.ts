export { type LocalAccess, readLocalAccess } from "./access/local-token.ts";
export { Coordinator, type CoordinatorOptions } from "./coordinator.ts";
export type { Database } from "./database/database.ts";
export { type DatabaseOptions, openDatabase } from "./database/open-database.ts";
export { DEFAULT_LIMITS, type Limits } from "./domain/limits.ts";
export type { HttpOptions } from "./http/serve-http.ts";
export { PROBLEMS, Problem, type ProblemCode } from "./problem.ts";
export { type ServedCoordinator, type ServeOptions, serveCoordinator } from "./serve.ts";
export { verifyWebhook, type WebhookOptions } from "./webhook/index.ts";
