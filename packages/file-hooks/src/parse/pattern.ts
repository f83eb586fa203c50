import { TenterhookError } from "@tenterhook/engine";
import { compilePattern } from "@tenterhook/engine/internal";
import { messageOf } from "@tenterhook/internal";
import type { Finding } from "@tenterhook/protocol";

/** What is wrong with a pattern, if anything. It never keeps a hook from running: it then counts as matching. */
export function explainPattern(pattern: string): Pick<Finding, "severity" | "message"> | undefined {
  try {
    compilePattern(pattern);
    return undefined;
  } catch (error) {
    const unsupported = TenterhookError.isInstance(error) && error.code === "unsupported_pattern";
    const why = unsupported
      ? "it needs look-around or back-references, which patterns over a model's text do not have"
      : messageOf(error);
    return { severity: "warning", message: `${why}; it counts as matching, and the script decides` };
  }
}

/**
 * Whether a pattern is compiled in no time. Repetitions and classes of letters can make a few hundred characters take seconds,
 * so those of hooks that were never trusted are not compiled before an event.
 */
export function isPlainPattern(pattern: string): boolean {
  return pattern.length <= 100 && !/\{|\\[pP]|\(\?/.test(pattern);
}
