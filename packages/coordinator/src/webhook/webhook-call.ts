import type { RunHookType } from "@tenterhook/protocol/runs";
import type { Lookup } from "./target.ts";
import type { WebhookFailureCode } from "./webhook-failure.ts";

/** A webhook to call. */
export interface WebhookCall {
  readonly url: string;
  readonly method: "POST" | "PUT" | "PATCH";
  /** `${NAME}` stands for an allowed variable. */
  readonly headers: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body: unknown;
  /** The type of the hook, for receivers of several types. */
  readonly hookType: RunHookType;
  /** Whether the response is read. Otherwise every 2xx status is a success. */
  readonly isResponseRead: boolean;
  /** The same for every attempt, and for a later call about the same thing. */
  readonly idempotencyKey: string;
  /** Whether a person tries the hook; the receiver learns it by a header. */
  readonly isTrial?: boolean;
  /** The time for all attempts together, pauses included. */
  readonly deadlineMs: number;
}

/** What webhooks may reach and use. */
export interface WebhookOptions {
  /** The variables that headers may use. */
  readonly variables: Readonly<Record<string, string>>;
  /** Which addresses may be called besides public ones; see `readAddressPolicy`. Default: none. */
  readonly allowPrivate?: boolean | readonly string[];
  /** Several while one replaces another: each signs. */
  readonly signingKey: string | readonly string[];
  /** Default: 1 MiB. */
  readonly maxResponseBytes?: number;
  /** Default: 3. */
  readonly maxRedirects?: number;
  /** Default: 5, the first one counted. */
  readonly maxAttempts?: number;
  /** The time in milliseconds since 1970. Default: `Date.now`. */
  readonly now?: () => number;
  /** Between 0 and 1, for the length of pauses. Default: `Math.random`. */
  readonly random?: () => number;
  /** Waits between attempts, until the signal fires at the latest; does not reject. Default: a timer. */
  readonly pause?: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Default: the system's resolver. */
  readonly lookup?: Lookup;
}

/** The attempts of a call before this one. */
export interface EarlierAttempts {
  readonly before: number;
  /** Why the last of them failed. */
  readonly earlier?: string | undefined;
}

/** A call that failed and is to be repeated after a pause. */
export interface WebhookRetry {
  readonly type: "retry";
  readonly afterMs: number;
  /** As for a failed call. */
  readonly reason: string;
}

/** The outcome of a call. `attempts` is how often it was tried; 0 if it could not be tried.  */
export type WebhookResult =
  | {
      readonly type: "answered";
      /** The JSON of the response, or `undefined` for an empty one, and for one that was not read. */
      readonly value: unknown;
      readonly status: number;
      readonly attempts: number;
    }
  | {
      readonly type: "failed";
      readonly code: WebhookFailureCode;
      /** For people. Contains no value of a header or variable, no path or query, and nothing that the receiver wrote. */
      readonly reason: string;
      /** The status of the last response, if the failure is about one. */
      readonly status: number | undefined;
      readonly attempts: number;
    };
