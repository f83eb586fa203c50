import { validateHeaderName, validateHeaderValue } from "node:http";
import { fillVariables } from "@tenterhook/internal";
import { WebhookFailure } from "./webhook-failure.ts";

/** Headers that frame the message, or that a receiver trusts to be set by the coordinator. */
const RESERVED = new Set([
  "accept-encoding",
  "connection",
  "content-length",
  "expect",
  "host",
  "idempotency-key",
  "keep-alive",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
  "user-agent",
]);
const RESERVED_PREFIX = "tenterhook-";

/** The headers of a blueprint, by lower-case names, with their variables filled in and fit to be sent. */
export function configuredHeaders(
  headers: Readonly<Record<string, string>>,
  variables: Readonly<Record<string, string>>,
): Record<string, string> {
  const filled = new Map<string, string>();
  for (const [name, text] of Object.entries(headers)) {
    const key = name.toLowerCase();
    if (!isValid(() => validateHeaderName(name))) {
      throw new WebhookFailure("bad_header", `${JSON.stringify(name)} cannot be the name of a header.`);
    }
    if (RESERVED.has(key) || key.startsWith(RESERVED_PREFIX)) {
      throw new WebhookFailure("bad_header", `The header ${name} cannot be set: the coordinator sets it.`);
    }
    if (filled.has(key)) {
      throw new WebhookFailure("bad_header", `The header ${name} is given twice, in different letters.`);
    }
    const value = fillHeader(name, text, variables);
    if (!isValid(() => validateHeaderValue(name, value))) {
      throw new WebhookFailure(
        "bad_header",
        `The header ${name} cannot be sent: its value, with the variables filled in, has a line break or another character that headers cannot have.`,
      );
    }
    filled.set(key, value);
  }
  return Object.fromEntries(filled);
}

function isValid(check: () => void): boolean {
  try {
    check();
    return true;
  } catch {
    return false;
  }
}

/**
 * Replaces `${NAME}` in a header by the value of an allowed variable. Only `variables` can be used: the author of a
 * blueprint must not read the coordinator's environment with it. A `${NAME}` in a value is not replaced.
 */
function fillHeader(header: string, text: string, variables: Readonly<Record<string, string>>): string {
  return fillVariables(text, (name, isName) => {
    if (!isName) {
      // The text between the braces is not repeated: it may be a piece of a password.
      throw new WebhookFailure(
        "unknown_variable",
        `The header ${header} has a \${…} that names no variable.`,
      );
    }
    const value = Object.hasOwn(variables, name) ? variables[name] : undefined;
    if (value === undefined) {
      throw new WebhookFailure(
        "unknown_variable",
        `The header ${header} asks for the variable ${name}, which the coordinator does not allow; start it with --allow-variable ${name}.`,
      );
    }
    return value;
  });
}
