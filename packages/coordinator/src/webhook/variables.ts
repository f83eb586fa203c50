import { fillVariables } from "@tenterhook/internal";
import { WebhookFailure } from "./webhook-failure.ts";

/**
 * Replaces `${NAME}` in a header by the value of an allowed variable. Only `variables` can be used: the author of a
 * blueprint must not read the coordinator's environment with it. A `${NAME}` in a value is not replaced.
 */
export function fillHeader(
  header: string,
  text: string,
  variables: Readonly<Record<string, string>>,
): string {
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
