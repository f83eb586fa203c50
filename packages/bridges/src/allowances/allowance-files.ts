import {
  constants,
  lstatSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  type Stats,
  unlinkSync,
} from "node:fs";
import { join } from "node:path";
import { isRecord } from "@tenterhook/internal";
import { makeFolders, replacePlainFile, withOpenFile } from "@tenterhook/internal/files";
import { type AskedCall, listCodes, makeKey, readAskedCall, readCode } from "./asked-call.ts";

// Calls that wait for a person's answer, and the answers. Each is a file below the state folder: `allowances/asked/CODE.json` and
// `allowances/allowed/KEY.json`. What is in them is not believed: a key is made again from what is shown, and anything but a small plain file of
// this user passes nothing.

/** So long after it was last asked can a call be allowed. */
export const ASKED_MS = 60 * 60_000;
/** So long does an allowance wait for its call. */
export const ALLOWED_MS = 10 * 60_000;
/** A person does not review more. */
const MAX_ASKED_BYTES = 1024 * 1024;
const MAX_ALLOWED_BYTES = 1024;
/** Beyond that, the calls that were asked first are forgotten. */
const MAX_ASKED = 100;

/** A call that waits for a person's answer. */
export interface WaitingCall {
  readonly code: string;
  readonly call: AskedCall;
  readonly askedAt: number;
}

/** Stores a call that rules ask about, and returns its code. Throws with the reason where it can have none. */
export function storeAsked(state: string, call: AskedCall, now: number): string {
  const text = JSON.stringify({ ...call, asked_at: now });
  if (Buffer.byteLength(text) > MAX_ASKED_BYTES)
    throw new Error("the call is too long to be shown to a person");
  const folder = makeOwnFolder(state, "asked");
  removeOld(folder, now, ASKED_MS);
  const allowed = findOwnFolder(state, "allowed");
  // They were never used, or their process has died.
  if (allowed !== undefined) removeOld(allowed, now, ALLOWED_MS);
  const key = makeKey(call);
  for (const code of listCodes(key)) {
    const other = readWaiting(folder, code, now);
    if (other !== undefined && makeKey(other.call) !== key) continue;
    const path = join(folder, `${code}.json`);
    // It may be over, or nothing that was stored here, such as a folder.
    if (other === undefined) rmSync(path, { recursive: true, force: true });
    // Of two calls with the same code at the same moment, the later one has it; the other gets a longer one when it is asked about again.
    replacePlainFile(path, text);
    return code;
  }
  throw new Error(`${folder} has no room for another code`);
}

/** The calls that wait, the last asked first. */
export function listWaiting(state: string, now: number): readonly WaitingCall[] {
  const folder = findOwnFolder(state, "asked");
  return folder === undefined
    ? []
    : readNames(folder)
        .flatMap((name) => readWaiting(folder, name.replace(/\.json$/, ""), now) ?? [])
        .sort((one, other) => other.askedAt - one.askedAt);
}

/** The call that waits with a code; `undefined` if there is none. */
export function findWaiting(state: string, code: string, now: number): WaitingCall | undefined {
  const folder = findOwnFolder(state, "asked");
  return folder === undefined ? undefined : readWaiting(folder, code, now);
}

/**
 * Allows a call as it was shown, once. False when it no longer waits, or something else has its code by now. Throws when the allowance
 * cannot be stored; the call must then be asked about again.
 */
export function allow(state: string, { code, call }: WaitingCall, now: number): boolean {
  const key = makeKey(call);
  const waiting = findWaiting(state, code, now);
  if (waiting === undefined || makeKey(waiting.call) !== key) return false;
  const folder = makeOwnFolder(state, "allowed");
  // Of two answers at once, the one that removes the question counts.
  unlinkSync(join(makeOwnFolder(state, "asked"), `${code}.json`));
  replacePlainFile(join(folder, `${key}.json`), JSON.stringify({ key, code, allowed_at: now }));
  return true;
}

/** Uses the allowance of a call, if there is one. Of several equal calls, only the one that removes its file has it. */
export function takeAllowance(state: string, call: AskedCall, now: number): boolean {
  const folder = findOwnFolder(state, "allowed");
  if (folder === undefined) return false;
  const key = makeKey(call);
  const taken = join(folder, `${key}.${process.pid}-${process.hrtime.bigint()}.taken`);
  try {
    renameSync(join(folder, `${key}.json`), taken);
  } catch {
    return false;
  }
  try {
    const stored = readSmallJson(taken, MAX_ALLOWED_BYTES);
    unlinkSync(taken);
    return isRecord(stored) && stored.key === key && isWithin(stored.allowed_at, ALLOWED_MS, now);
  } catch {
    rmSync(taken, { recursive: true, force: true });
    return false;
  }
}

function readWaiting(folder: string, code: string, now: number): WaitingCall | undefined {
  if (readCode(code) !== code) return undefined;
  try {
    const stored = readSmallJson(join(folder, `${code}.json`), MAX_ASKED_BYTES);
    const call = readAskedCall(stored);
    const askedAt = isRecord(stored) ? stored.asked_at : undefined;
    if (call === undefined || !isWithin(askedAt, ASKED_MS, now)) return undefined;
    return listCodes(makeKey(call)).includes(code) ? { code, call, askedAt } : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a time lies in the last so many milliseconds. One in the future is of a clock that was set back. */
function isWithin(time: unknown, ms: number, now: number): time is number {
  return typeof time === "number" && time <= now && now - time < ms;
}

/** Removes the files that count no more, and the first ones of too many. */
function removeOld(folder: string, now: number, ms: number): void {
  const paths = readNames(folder).map((name) => join(folder, name));
  const times = new Map(
    paths.map((path) => [path, lstatSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0]),
  );
  const last = paths.sort((one, other) => (times.get(other) ?? 0) - (times.get(one) ?? 0));
  for (const [at, path] of last.entries())
    if (at >= MAX_ASKED - 1 || now - (times.get(path) ?? 0) > ms)
      rmSync(path, { recursive: true, force: true });
}

function readNames(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** The JSON of a file that only this user has written. */
function readSmallJson(path: string, maxBytes: number): unknown {
  const read = (file: number, stats: Stats) => {
    if (!stats.isFile() || stats.size > maxBytes || !isOwn(stats)) throw new Error(`${path} cannot be used`);
    return JSON.parse(readFileSync(file, "utf8")) as unknown;
  };
  return withOpenFile(path, read, constants.O_NOFOLLOW ?? 0);
}

function makeOwnFolder(state: string, name: "asked" | "allowed"): string {
  makeFolders(join(state, "allowances", name));
  const folder = findOwnFolder(state, name);
  if (folder === undefined)
    throw new Error(`${join(state, "allowances")} is a link, or others than this user can write in it`);
  return folder;
}

/** A folder of allowances, if no other user can have written into it. */
function findOwnFolder(state: string, name: "asked" | "allowed"): string | undefined {
  const parent = join(state, "allowances");
  const folder = join(parent, name);
  const areOwn = [parent, folder].every((path) => {
    const stats = lstatSync(path, { throwIfNoEntry: false });
    return stats?.isDirectory() === true && isOwn(stats);
  });
  return areOwn ? folder : undefined;
}

/** Whether it is this user's, and no other can write to it. Root also has the files of the user for whom it works. */
function isOwn({ uid, mode }: { readonly uid: number; readonly mode: number }): boolean {
  const user = process.getuid?.();
  if (user === undefined) return true;
  return (uid === user || user === 0) && (mode & 0o022) === 0;
}
