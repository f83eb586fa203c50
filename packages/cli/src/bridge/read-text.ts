import type { Readable } from "node:stream";
import { UnreadableCall } from "@tenterhook/bridges/bridge";
import { JSON_LIMITS, withoutBom } from "@tenterhook/internal";

/** After a pause of this length the text may be complete. */
const QUIET_MS = 10;

/**
 * Reads a payload. It resolves as soon as the JSON is complete, also when the client leaves the pipe open. Rejects when it is not complete
 * in time, or too long.
 */
export function readText(source: Readable, leftMs: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    /** How much of it had come when it was last parsed. */
    let parsed = 0;
    let quiet: NodeJS.Timeout | undefined;
    const finish = (settle: () => void) => {
      clearTimeout(timer);
      clearTimeout(quiet);
      source.pause();
      settle();
    };
    const timer = setTimeout(() => finish(() => reject(new Error(late(length, leftMs)))), leftMs);
    const text = () => Buffer.concat(chunks).toString();
    const end = () => finish(() => resolve(text()));
    const endIfComplete = () => {
      parsed = length;
      if (isJson(text())) end();
    };
    const add = (chunk: Buffer) => {
      clearTimeout(quiet);
      chunks.push(chunk);
      length += chunk.length;
      if (length > JSON_LIMITS.bytes)
        finish(() => reject(new UnreadableCall("what the client sent is too long to be checked")));
      // A long text is parsed only when it has doubled, or when nothing more comes.
      else if (endsObject(chunk) && length >= parsed * 2) endIfComplete();
      else if (endsObject(chunk)) quiet = setTimeout(endIfComplete, QUIET_MS);
    };
    source.on("data", add).on("end", end).on("error", end);
    // It may have been paused.
    source.resume();
  });
}

function late(length: number, leftMs: number): string {
  const time = `within ${(leftMs / 1_000).toFixed(1)} s`;
  return length === 0
    ? `the client did not send anything ${time}`
    : `the client sent only a part of its JSON ${time}`;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(withoutBom(text));
    return true;
  } catch {
    // More has to come.
    return false;
  }
}

function endsObject(chunk: Buffer): boolean {
  let at = chunk.length - 1;
  while (at >= 0 && isBlank(chunk[at])) at--;
  return chunk[at] === 0x7d;
}

function isBlank(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}
