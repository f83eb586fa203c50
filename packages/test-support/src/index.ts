export { type ApiAnswer, ApiClient, type CallOptions } from "./api-client.ts";
export { EventReader, type SentMessage } from "./event-reader.ts";
export { fillStore, writeWords } from "./fill-store.ts";
export { type PostgresServer, type PostgresSettings, startPostgres } from "./postgres-server.ts";
export { PromisedAnswers } from "./promised-answers.ts";
export { QUICK_START } from "./quick-start.ts";
export { guardRun } from "./run-guard.ts";
export { freshPostgres } from "./shared-postgres.ts";
export { type TestResult, TestRunner, type TestWork } from "./test-runner.ts";
