import { isThenable } from "@tenterhook/internal";
import { textOf } from "./failure.ts";

/** Runs a host's check, which may be sync or async and may throw; what it throws is the problem. */
export function runCheck(
  check: () => string | undefined | Promise<string | undefined>,
  settle: (problem: string | undefined) => void,
): Promise<void> | undefined {
  let answer: string | undefined | PromiseLike<string | undefined>;
  try {
    answer = check();
  } catch (error) {
    answer = textOf(error);
  }
  if (isThenable(answer)) return Promise.resolve(answer).then(asProblem, textOf).then(settle);
  settle(asProblem(answer));
  return;
}

/** Any answer but none is a problem; one of another type than it should have can still be shown. */
function asProblem(answer: unknown): string | undefined {
  return answer === undefined || typeof answer === "string" ? answer : textOf(answer);
}
