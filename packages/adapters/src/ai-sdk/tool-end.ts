import type { ToolEnd } from "../core/index.ts";

/**
 * A refusal, as the model reads it. It is thrown: a returned text would have no mark of an error, and go through the tool's own
 * `toModelOutput`.
 */
class ToolRefusal extends Error {
  override readonly name = "ToolRefusal";

  /** Version 7 of the AI SDK shows errors with their name in front; the model reads the reason alone. */
  override toString(): string {
    return this.message;
  }
}

/** The result of a call for the framework. Throws what the model is to read as an error. */
export function readEnd(end: ToolEnd): unknown {
  switch (end.type) {
    case "result":
      return end.value;
    case "failed":
      if (end.shown === end.error.message) throw end.error;
      throw new ToolRefusal(typeof end.shown === "string" ? end.shown : JSON.stringify(end.shown), {
        cause: end.error,
      });
    case "refused":
    case "stopped":
      throw new ToolRefusal(end.reason);
  }
}
