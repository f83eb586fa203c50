import { messageOf } from "@tenterhook/protocol";

/** Runs a host's check, which may be sync or async and may throw; what it throws is the problem. */
export function runCheck(
  check: () => string | undefined | Promise<string | undefined>,
  settle: (problem: string | undefined) => void,
): Promise<void> | undefined {
  let answer: string | undefined | Promise<string | undefined>;
  try {
    answer = check();
  } catch (error) {
    answer = messageOf(error);
  }
  if (answer instanceof Promise) return answer.catch(messageOf).then(settle);
  settle(answer);
  return;
}
