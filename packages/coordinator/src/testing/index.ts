export { type ApiAnswer, ApiClient, type CallOptions } from "./api-client.ts";
export { CoordinatorWorld } from "./coordinator-world.ts";
export { EventReader, type SentMessage } from "./event-reader.ts";
export { type PostgresServer, startPostgres } from "./postgres-server.ts";
export { QUICK_START } from "./quick-start.ts";
export { freshPostgres } from "./shared-postgres.ts";
export { type TestResult, TestRunner, type TestWork } from "./test-runner.ts";
