import { type About, formatAbout, parseAbout } from "./about.ts";

/**
 * What the front sends as the body of `POST /call`, before the client's text:
 *
 *     about NUL folder NUL caller NUL count NUL argument NUL …   about: the line of that file; count: how many arguments follow
 *     NAME=value NUL …                                           /proc/self/environ of a cat
 *     12345 (cat) R 12340 …\n                                    its /proc/self/stat
 *     about\n                                                    the same line again
 *
 * A shell can neither store a NUL in a variable nor count bytes quickly, so all of it is sent as it is read. The secret in the line
 * shows where the text begins, because no variable can contain it, and that the front may read the user's files.
 */
export interface RequestHead {
  /** The caller's working folder; empty if it is gone. */
  readonly cwd: string;
  /** The process of the installed script. When it is gone, no client waits for the answer. */
  readonly caller: number;
  /** The arguments of the bridge, without the command's name. */
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /**
   * The process that sends the client's text. It ends with the text, unless the client leaves its pipe open: once the JSON is complete,
   * the resident process ends it with SIGTERM, else curl waits for more and does not read the response.
   */
  readonly sender: number;
  /** How many bytes of the body come before the client's text. */
  readonly length: number;
}

/** Longer heads are not of the front: a system starts no process with much more than a megabyte of arguments and environment. */
export const LONGEST_HEAD = 4 * 1024 * 1024;

/** Reads the head of a request from what has arrived; `undefined` while it is not complete. Throws if the front did not send it. */
export function readRequestHead(received: Buffer, about: About): RequestHead | undefined {
  const length = findText(received);
  if (length === undefined) return undefined;
  const mark = formatAbout(about);
  const [line, cwd = "", caller, count, ...rest] = received
    .subarray(0, length - mark.length)
    .toString()
    .split("\0");
  if (`${line}\n` !== mark) throw new Error("the request does not contain the secret");
  const [, sender] = /^\d+ \(.*\) \S+ (\d+) /.exec(rest.pop() ?? "") ?? [];
  const args = rest.slice(0, Number(count));
  if (!isPid(Number(caller)) || !isPid(Number(sender)) || args.length !== Number(count))
    throw new Error("the request is not complete");
  // Where a name stands twice, the first counts, as in Node.
  const env = Object.fromEntries(rest.slice(args.length).reverse().flatMap(readEntry));
  return { cwd, caller: Number(caller), args, env, sender: Number(sender), length };
}

/** Where the client's text begins in what the front sent; `undefined` while the head is not complete. Throws if it is not one. */
export function findText(received: Buffer): number | undefined {
  const end = received.subarray(0, LONGEST_LINE).indexOf(0);
  const line = `${received.subarray(0, Math.max(end, 0)).toString()}\n`;
  if (end < 0 ? received.length >= LONGEST_LINE : parseAbout(line) === undefined)
    throw new Error("the request does not begin with the line about the resident process");
  const at = end < 0 ? -1 : received.indexOf(line, end);
  if (at < 0 && received.length > LONGEST_HEAD) throw new Error("the head of the request is too long");
  return at < 0 ? undefined : at + line.length;
}

/** More than the line about a resident process has. */
const LONGEST_LINE = 64;

function readEntry(entry: string): readonly (readonly [name: string, value: string])[] {
  const at = entry.indexOf("=");
  if (at <= 0) return [];
  const name = entry.slice(0, at);
  // Some shells export the path of what they start as `_`: here the cat that sends this, in a cold call Node.
  const isSender = name === "_" && entry.endsWith("/cat");
  return [[name, isSender ? process.execPath : entry.slice(at + 1)]];
}

function isPid(value: number): boolean {
  return Number.isSafeInteger(value) && value > 0;
}
