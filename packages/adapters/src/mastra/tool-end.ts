import type { ToolEnd } from "../core/index.ts";

/** A refusal, as the model reads it. It is thrown: a returned text would have no mark of an error, and be shown as the tool's own. */
class ToolRefusal extends Error {
  override readonly name = "ToolRefusal";
}

/** The result of a call for Mastra. Throws what the model is to read as an error. */
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
