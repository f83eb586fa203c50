export { checkAddress } from "./check-access.ts";
export type { FollowOptions } from "./follow-events.ts";
export type { RunEventsOptions } from "./follow-run.ts";
export type { Operations } from "./generated/operations.ts";
export { type ClientOptions, HttpClient } from "./http-client.ts";
export {
  formatPath,
  type Input,
  type InputArguments,
  type OperationName,
  type Query,
  type RequestOptions,
  type ResponseOf,
} from "./operation-input.ts";
export type { ReadOptions } from "./read-chunks.ts";
export { readMessages } from "./read-messages.ts";
export { describeCause, isRequestError, RequestError } from "./request-error.ts";
export type { RetryPolicy } from "./retry-policy.ts";
export { TenterhookClient } from "./tenterhook-client.ts";
