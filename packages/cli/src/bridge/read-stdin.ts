import { fstatSync, readFileSync } from "node:fs";
import { UnreadableCall } from "@tenterhook/bridges/bridge";
import { type PipeReader, QuickPipe } from "./quick-pipe.ts";
import { ReceivedText } from "./received-text.ts";

/** After a pause of this length the text may be complete. */
const QUIET_MS = 10;

/**
 * Reads the payload on standard input. It resolves as soon as the JSON is complete, also when the client leaves the pipe open. Rejects
 * when it is not complete in time. `beforeWaiting` is called if it has to wait for the client.
 */
export async function readStdin(leftMs: number, beforeWaiting: () => void): Promise<string> {
  const kind = kindOfStdin();
  if (kind === "file") return readFileSync(0, "utf8");
  const pipe = kind === "pipe" ? QuickPipe.open() : undefined;
  const text = new ReceivedText();
  // Most clients have written all of it before this process runs.
  const isRead = pipe !== undefined && readWritten(pipe, text);
  if (!isRead) {
    beforeWaiting();
    await readRest(pipe, text, leftMs);
  }
  if (text.isTooLong) throw new UnreadableCall("what the client sent is too long to be judged");
  return text.toString();
}

/** Reads what the client has written already; true when nothing more needs to come. */
function readWritten(pipe: QuickPipe, text: ReceivedText): boolean {
  for (;;) {
    const chunk = pipe.readNow();
    if (chunk === undefined) return false;
    if (chunk.length === 0) return true;
    text.add(chunk);
    if (text.isWhole) return true;
  }
}

function readRest(pipe: QuickPipe | undefined, text: ReceivedText, leftMs: number): Promise<void> {
  return new Promise((resolve, reject) => {
    let stop: () => void = () => undefined;
    let quiet: NodeJS.Timeout | undefined;
    const finish = (settle: () => void) => {
      clearTimeout(timer);
      clearTimeout(quiet);
      stop();
      settle();
    };
    const check = () => {
      text.check();
      if (text.isWhole) finish(resolve);
    };
    const consider = () => {
      clearTimeout(quiet);
      if (text.isWhole) finish(resolve);
      else if (text.mayBeWhole) quiet = setTimeout(check, QUIET_MS);
    };
    const timer = setTimeout(() => finish(() => reject(new Error(late(text, leftMs)))), leftMs);
    const reader = {
      data(chunk: Buffer) {
        text.add(chunk);
        consider();
      },
      end: () => finish(resolve),
    };
    stop = pipe?.readLater(reader) ?? readStream(reader);
    consider();
  });
}

function late(text: ReceivedText, leftMs: number): string {
  const time = `within ${(leftMs / 1_000).toFixed(1)} s`;
  return text.length === 0
    ? `the client did not send anything ${time}`
    : `the client sent only a part of its JSON ${time}`;
}

function kindOfStdin(): "file" | "pipe" | "other" {
  try {
    const stats = fstatSync(0);
    if (stats.isFile()) return "file";
    return stats.isFIFO() || stats.isSocket() ? "pipe" : "other";
  } catch {
    return "other";
  }
}

/** A terminal, a device, or a pipe of a Node that reads it by streams only. */
function readStream({ data, end }: PipeReader): () => void {
  process.stdin.on("data", data).on("end", end).on("error", end);
  return () => void process.stdin.pause();
}
