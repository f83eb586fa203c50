import type { Exception } from "@opentelemetry/api";
import { ERROR_CODES, TenterhookError } from "@tenterhook/protocol";

/** What a span says about an error. */
export interface SpanFailure {
  readonly type: string;
  /** Absent for errors of others, whose messages may quote anybody, unless content is captured. */
  readonly message: string | undefined;
  readonly exception: Exception;
}

/** The conventions' word for an error that has no name. */
const NAMELESS = "_OTHER";

/** Whoever throws may write what they like into a name; only what can be one is taken for it. */
const NAME = /^[A-Za-z_$][\w$.:-]{0,63}$/;

/**
 * An error as OpenTelemetry records it. Messages quote what users and models wrote, so without leave to capture content
 * the meaning of a code stands in their place, and of the stack only the frames are kept.
 */
export function spanFailure(error: unknown, captureContent: boolean): SpanFailure {
  const type = errorType(error);
  // The stack of a failure of ours leads into the agent; the one of its cause to the line that threw.
  const { message = "", stack = "" } = textsOf(
    TenterhookError.isInstance(error) ? (error.cause ?? error) : error,
  );
  if (captureContent) {
    const said = error instanceof Error ? error.message : String(error);
    return { type, message: said, exception: { code: type, message: said, stack } };
  }
  const meaning = TenterhookError.isInstance(error) ? ERROR_CODES[error.code] : undefined;
  return {
    type,
    message: meaning,
    exception: {
      code: type,
      stack: framesOf(stack, message),
      ...(meaning !== undefined && { message: meaning }),
    },
  };
}

/** A provider's status before the class of the error: `429` says more than `AI_APICallError`. */
function errorType(error: unknown): string {
  const { code, statusCode, name } = Object(error) as {
    code?: unknown;
    statusCode?: unknown;
    name?: unknown;
  };
  if (typeof code === "string" && NAME.test(code)) return code;
  if (typeof statusCode === "number") return String(statusCode);
  return typeof name === "string" && NAME.test(name) ? name : NAMELESS;
}

function textsOf(error: unknown): { readonly message?: string; readonly stack?: string } {
  return error instanceof Error ? error : {};
}

/** The lines that say where. A message may look like one, so a stack that does not hold its message is left out. */
function framesOf(stack: string, message: string): string {
  if (!stack.includes(message)) return "";
  return (stack.replace(message, "").match(/^[ \t]+at .+$/gm) ?? []).join("\n");
}
