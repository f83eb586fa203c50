import { type Exception, type Span, SpanStatusCode } from "@opentelemetry/api";
import { isInstanceOf, messageOf, readable } from "@tenterhook/internal";
import { ERROR_CODES, TenterhookError } from "@tenterhook/protocol";

/** An error as a span records it. */
export interface SpanFailure {
  readonly type: string;
  /** Absent for errors of other packages, whose messages may quote content, unless content is captured. */
  readonly message: string | undefined;
  readonly exception: Exception;
}

/** Records an error on a span: its type, an exception and an error status. */
export function recordFailure(span: Span, error: unknown, captureContent: boolean): void {
  const { type, message, exception } = spanFailure(error, captureContent);
  span.setAttribute("error.type", type);
  span.recordException(exception);
  span.setStatus({ code: SpanStatusCode.ERROR, ...(message !== undefined && { message }) });
}

/** The value of the conventions for an error without a name. */
const UNNAMED_ERROR = "_OTHER";

/** An error's name may be any text; only identifiers are recorded. */
const NAME = /^[A-Za-z_$][\w$.:-]{0,63}$/;

/**
 * An error as OpenTelemetry records it. Messages may quote users and models, so unless content is captured they are replaced by the
 * meaning of the error code, and only the frames of the stack are kept.
 */
export function spanFailure(thrown: unknown, captureContent: boolean): SpanFailure {
  const error = readable(thrown);
  const type = errorType(error);
  // The stack of a `TenterhookError` leads into this package; the stack of its cause has the line that threw.
  const cause = readable((TenterhookError.isInstance(error) ? error.cause : undefined) ?? error);
  const { message = "", stack = "" } = isInstanceOf(cause, Error) ? cause : {};
  if (captureContent) {
    const text = messageOf(error);
    return { type, message: text, exception: { code: type, message: text, stack } };
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

/** A provider's status takes precedence over the error's class: `429` is more specific than `AI_APICallError`. */
function errorType(error: unknown): string {
  const { code, statusCode, name } = Object(error) as {
    code?: unknown;
    statusCode?: unknown;
    name?: unknown;
  };
  if (typeof code === "string" && NAME.test(code)) return code;
  if (typeof statusCode === "number") return String(statusCode);
  return typeof name === "string" && NAME.test(name) ? name : UNNAMED_ERROR;
}

/** The frames of a stack. A message may look like a frame, so a stack without its message is dropped. */
function framesOf(stack: string, message: string): string {
  if (!stack.includes(message)) return "";
  return (stack.replace(message, "").match(/^[ \t]+at .+$/gm) ?? []).join("\n");
}
