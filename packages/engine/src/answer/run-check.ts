import { textOf } from "./failure.ts";

/** Runs a host's check, which may throw: what it throws is the problem. The promise is never rejected. */
export async function runCheck(
  check: () => string | undefined | Promise<string | undefined>,
): Promise<string | undefined> {
  try {
    const answer: unknown = await check();
    // Any answer but none is a problem; one of another type than it should have can still be shown.
    return answer === undefined || typeof answer === "string" ? answer : textOf(answer);
  } catch (error) {
    return textOf(error);
  }
}
