import { UnreadableCall } from "@tenterhook/bridges/bridge";
import { ReceivedText } from "./received-text.ts";

/** After a pause of this length the text may be complete. */
const QUIET_MS = 10;

/** What delivers a text in pieces: a stream, or the connection to a front. */
export interface TextSource {
  on(event: "data", listener: (piece: Buffer) => void): this;
  on(event: "end" | "error", listener: () => void): this;
  /** Nothing more is wanted. */
  pause(): unknown;
  /** Delivers what has come, and what will. */
  resume(): unknown;
}

/**
 * Reads a payload. It resolves as soon as the JSON is complete, also when the client leaves the pipe open. Rejects when it is not complete
 * in time, or too long.
 */
export async function readText(source: TextSource, leftMs: number): Promise<string> {
  const text = await receiveText(source, leftMs);
  if (text.isTooLong) throw new UnreadableCall("what the client sent is too long to be checked");
  return text.toString();
}

function receiveText(source: TextSource, leftMs: number): Promise<ReceivedText> {
  return new Promise((resolve, reject) => {
    const text = new ReceivedText();
    let quiet: NodeJS.Timeout | undefined;
    const finish = (settle: () => void) => {
      clearTimeout(timer);
      clearTimeout(quiet);
      source.pause();
      settle();
    };
    const timer = setTimeout(() => finish(() => reject(new Error(late(text, leftMs)))), leftMs);
    const end = () => finish(() => resolve(text));
    const add = (chunk: Buffer) => {
      clearTimeout(quiet);
      text.add(chunk);
      if (text.isWhole) end();
      else if (text.mayBeWhole) quiet = setTimeout(check, QUIET_MS);
    };
    const check = () => {
      text.check();
      if (text.isWhole) end();
    };
    source.on("data", add).on("end", end).on("error", end);
    // It may have been paused.
    source.resume();
  });
}

function late(text: ReceivedText, leftMs: number): string {
  const time = `within ${(leftMs / 1_000).toFixed(1)} s`;
  return text.length === 0
    ? `the client did not send anything ${time}`
    : `the client sent only a part of its JSON ${time}`;
}
