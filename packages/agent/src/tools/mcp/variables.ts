import { fillVariables, ownField } from "@tenterhook/internal";
import { TenterhookError } from "@tenterhook/protocol";

/** Environment variables by name. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Replaces `${NAME}` by the values of environment variables. Throws `bad_agent` for one that is not set, because a server with an
 * empty token would fail later and less clearly. Values are not expanded again, and never shown.
 */
export function fillAll(
  texts: Readonly<Record<string, string>>,
  environment: Environment,
  where: string,
): Record<string, string> {
  const filled = Object.entries(texts).map(([key, text]): [string, string] => [
    key,
    fillVariables(text, (name, isName) => {
      if (!isName) {
        throw new TenterhookError("bad_agent", `${where}.${key}: \${${name}} does not name a variable.`);
      }
      const value = ownField(environment, name);
      if (value === undefined) {
        const problem = `${where}.${key}: the environment variable ${name} is not set.`;
        throw new TenterhookError("bad_agent", problem);
      }
      return value;
    }),
  ]);
  return Object.fromEntries(filled);
}
