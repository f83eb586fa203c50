import { type About, formatAbout } from "./about.ts";

/**
 * What the front sends as the body of `POST /call`, before the client's text:
 *
 *     folder NUL caller NUL count NUL argument NUL …   by printf; count: how many arguments follow
 *     NAME=value NUL …                                 /proc/self/environ of the cat that sends all that follows
 *     12345 (cat) R …\n                                its /proc/self/stat
 *     6789 0123456789abcdef0123456789abcdef\n          the file `about`
 *
 * A shell can neither store a NUL in a variable nor count bytes quickly, so one `cat` sends it all: those files, and then the text.
 * The secret shows where the text begins, because no variable can contain it, and that the front may read the user's files.
 */
export interface RequestHead {
  /** The caller's working folder. */
  readonly cwd: string;
  /** The process of the installed script. When it is gone, nobody waits for the answer. */
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
  const mark = Buffer.from(formatAbout(about));
  const end = received.indexOf(mark);
  if (end < 0) {
    if (received.length > LONGEST_HEAD) throw new Error("the request does not contain the secret");
    return undefined;
  }
  const [cwd = "", caller, count, ...rest] = received.subarray(0, end).toString().split("\0");
  const sender = Number.parseInt(rest.pop() ?? "", 10);
  const args = rest.slice(0, Number(count));
  if (!isPid(Number(caller)) || !isPid(sender) || args.length !== Number(count))
    throw new Error("the request is not complete");
  // Where a name stands twice, the first counts, as in Node.
  const env = Object.fromEntries(rest.slice(args.length).reverse().flatMap(readEntry));
  return { cwd, caller: Number(caller), args, env, sender, length: end + mark.length };
}

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
