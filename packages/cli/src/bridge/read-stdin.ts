import { fstatSync, readFileSync } from "node:fs";
import { UnreadableCall } from "@tenterhook/bridges/bridge";
import { ReceivedText } from "./received-text.ts";

/** After a pause of this length the text may be complete. */
const QUIET_MS = 10;

/**
 * Reads the payload on standard input. It resolves as soon as the JSON is complete, also when the client leaves the pipe open. Rejects
 * when it is not complete in time.
 */
export async function readStdin(leftMs: number): Promise<string> {
  if (isFile()) return readFileSync(0, "utf8");
  const text = new ReceivedText();
  await receive(text, leftMs);
  if (text.isTooLong) throw new UnreadableCall("what the client sent is too long to be judged");
  return text.toString();
}

/** A pipe, a socket, a terminal or a device. */
function receive(text: ReceivedText, leftMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    let quiet: NodeJS.Timeout | undefined;
    const finish = (settle: () => void) => {
      clearTimeout(timer);
      clearTimeout(quiet);
      process.stdin.pause();
      settle();
    };
    const timer = setTimeout(() => finish(() => reject(new Error(late(text, leftMs)))), leftMs);
    const add = (chunk: Buffer) => {
      clearTimeout(quiet);
      text.add(chunk);
      if (text.isWhole) finish(resolve);
      else if (text.mayBeWhole) quiet = setTimeout(check, QUIET_MS);
    };
    const check = () => {
      text.check();
      if (text.isWhole) finish(resolve);
    };
    const end = () => finish(resolve);
    process.stdin.on("data", add).on("end", end).on("error", end);
  });
}

function late(text: ReceivedText, leftMs: number): string {
  const time = `within ${(leftMs / 1_000).toFixed(1)} s`;
  return text.length === 0
    ? `the client did not send anything ${time}`
    : `the client sent only a part of its JSON ${time}`;
}

function isFile(): boolean {
  try {
    return fstatSync(0).isFile();
  } catch {
    return false;
  }
}
