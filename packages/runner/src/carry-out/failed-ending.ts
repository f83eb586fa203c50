import { messageOf, TenterhookError } from "@tenterhook/protocol";
import type { Ending } from "./ending.ts";

/** A failure as it is reported; errors of ours bring their own code. */
export function failedEnding(error: unknown, fallbackCode: string): Ending {
  const errorCode = TenterhookError.isInstance(error) ? error.code : fallbackCode;
  return { type: "failed", error: messageOf(error), errorCode };
}
