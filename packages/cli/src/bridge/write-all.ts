/** A client that reads slowly has at least this time, also when its deadline has passed. */
const LEAST_MS = 1_000;

/**
 * Writes all of a text to an output of this process until `deadline`, by `performance.now()`. False when the client has closed its end,
 * or did not read in time: a write that blocks would have no deadline, and would keep signals from being handled.
 */
export function writeAll(to: "stdout" | "stderr", text: string, deadline: number): Promise<boolean> {
  if (text === "") return Promise.resolve(true);
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, Math.max(LEAST_MS, deadline - performance.now()), false);
    const finish = (isWritten: boolean) => {
      clearTimeout(timer);
      resolve(isWritten);
    };
    try {
      process[to].once("error", () => finish(false)).write(text, (error) => finish(error == null));
    } catch {
      // A file or device that nothing can be written to.
      finish(false);
    }
  });
}
