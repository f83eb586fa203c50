import type { ChildProcess } from "node:child_process";

/** The next message of a process. Throws when the process ends without one, instead of waiting forever. */
export function nextMessage<T>(child: ChildProcess, what: string): Promise<T> {
  return new Promise((resolve, reject) => {
    const ended = () => {
      child.off("message", received);
      const end = child.signalCode ?? `exit code ${child.exitCode}`;
      reject(new Error(`${what} ended with ${end} before it answered`));
    };
    const received = (message: unknown) => {
      child.off("exit", ended);
      resolve(message as T);
    };
    if (child.exitCode !== null || child.signalCode !== null) return ended();
    child.once("message", received);
    child.once("exit", ended);
  });
}
