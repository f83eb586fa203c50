import { messageOf } from "@tenterhook/internal";
import { TenterhookError } from "@tenterhook/protocol";

/** How a run ended, as it is reported to the coordinator. */
export type Ending =
  | {
      readonly type: "completed";
      readonly resultText: string | null;
      readonly resultData: Readonly<Record<string, unknown>> | null;
    }
  | { readonly type: "failed"; readonly error: string; readonly errorCode: string }
  | { readonly type: "stopped"; readonly reason: string };

/** A run whose ending is known. */
export interface Finished {
  readonly ending: Ending;
  /** Work that continues after the ending is known, such as background hooks. */
  readonly background: Promise<unknown>;
}

/** A failure as it is reported; a `TenterhookError` has its own code. */
export function failedEnding(error: unknown, fallbackCode: string): Ending {
  const errorCode = TenterhookError.isInstance(error) ? error.code : fallbackCode;
  return { type: "failed", error: messageOf(error), errorCode };
}

/** The body of the report about it. Errors are for people, who read neither thousands of lines nor base64. */
export function endingFacts(ending: Ending): Readonly<Record<string, unknown>> {
  switch (ending.type) {
    case "completed":
      return { result_text: ending.resultText, result_data: ending.resultData };
    case "failed":
      return { error: ending.error.slice(0, MAX_IN_ERROR), error_code: ending.errorCode.slice(0, 100) };
    case "stopped":
      return { reason: ending.reason.slice(0, MAX_IN_ERROR) };
  }
}

const MAX_IN_ERROR = 10_000;
