import type { About } from "./about.ts";

/**
 * The first message to a resident process, of parts that each end with a NUL:
 *
 *     call    SECRET  caller  front  folder  count  argument …  NAME=value …      count: how many arguments follow
 *     status  SECRET
 */
export type ResidentRequest = { readonly type: "status" } | ({ readonly type: "call" } & CallHead);

/** What is known of a call before its text is sent. */
export interface CallHead {
  /** The process of the installed script. When it is gone, no client waits for the answer. */
  readonly caller: number;
  /** The process at the other end of the connection, as it says. */
  readonly front: number;
  /** The caller's working folder. */
  readonly cwd: string;
  /** The arguments of the bridge, without the command's name. */
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** Reads a request. Throws if neither the front nor the command has sent it. */
export function readRequest(message: Buffer, { secret }: About): ResidentRequest {
  const [type, sent, caller, front, cwd = "", count, ...rest] = message.toString().split("\0");
  if (sent !== secret) throw new Error("the request does not contain the secret");
  if (type === "status") return { type };
  const args = rest.slice(0, Number(count));
  const isWhole = args.length === Number(count) && rest.at(-1) === "";
  const pids = [caller, front].map(Number);
  if (type !== "call" || !pids.every(isPid) || !isWhole) throw new Error("the request is not complete");
  // Where a name stands twice, the first counts, as in Node.
  const env = Object.fromEntries(rest.slice(args.length).reverse().flatMap(readEntry));
  return { type, caller: Number(caller), front: Number(front), cwd, args, env };
}

export function formatStatusRequest({ secret }: About): string {
  return `status\0${secret}\0`;
}

function readEntry(entry: string): readonly (readonly [name: string, value: string])[] {
  const at = entry.indexOf("=");
  if (at <= 0) return [];
  const name = entry.slice(0, at);
  // Some shells export the path of what they start as `_`: here the front, in a cold call Node.
  const isFront = name === "_" && entry.endsWith("/perl");
  return [[name, isFront ? process.execPath : entry.slice(at + 1)]];
}

function isPid(value: number): boolean {
  return Number.isSafeInteger(value) && value > 0;
}
