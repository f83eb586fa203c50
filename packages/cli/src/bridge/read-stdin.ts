import { fstatSync, readFileSync } from "node:fs";
import { UnreadableCall } from "@tenterhook/bridges/bridge";
import { type PipeReader, readPipe } from "./quick-pipe.ts";
import { ReceivedText } from "./received-text.ts";

/**
 * Reads the payload on standard input. It resolves as soon as the JSON is complete, also when the client leaves the pipe open. Rejects
 * when it is not complete in time.
 */
export async function readStdin(leftMs: number): Promise<string> {
  const kind = kindOfStdin();
  if (kind === "file") return readFileSync(0, "utf8");
  return new Promise((resolve, reject) => {
    const text = new ReceivedText();
    let stop: () => void = () => undefined;
    const finish = (settle: () => void) => {
      clearTimeout(timer);
      text.close();
      stop();
      settle();
    };
    const whole = () =>
      finish(() => {
        if (text.isTooLong) reject(new UnreadableCall("what the client sent is too long to be judged"));
        else resolve(text.toString());
      });
    const timer = setTimeout(() => finish(() => reject(new Error(late(text, leftMs)))), leftMs);
    const reader = { data: (chunk: Buffer) => text.add(chunk, whole), end: whole };
    stop = (kind === "pipe" ? readPipe(reader) : undefined) ?? readStream(reader);
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
