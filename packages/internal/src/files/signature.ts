import { statSync } from "node:fs";

/**
 * Shows whether a file has changed without reading it. The change time, unlike the modification time, cannot
 * be set back by a program, and every write, rename and change of mode moves it on. Two numbers rather than a text: a
 * thousand of them are compared before every event.
 */
export interface Signature {
  readonly ino: number;
  readonly ctimeMs: number;
}

/** Of a file that exists but cannot be reached, so that it is found and reported. */
export const UNREACHABLE: Signature = { ino: -1, ctimeMs: -1 };

/** Of a file that must be read again although it seems unchanged: it is the same as no other, and not as itself. */
export const ALWAYS_NEW: Signature = { ino: Number.NaN, ctimeMs: Number.NaN };

const QUIETLY = { throwIfNoEntry: false } as const;

/** The signature of a path; `undefined` when nothing exists there. */
export function signatureOf(path: string): Signature | undefined {
  try {
    return statSync(path, QUIETLY);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOTDIR" ? undefined : UNREACHABLE;
  }
}

/** A change within the same tick of the file system's clock does not move the change time on. */
const TICK_MS = 50;

/** The tick of file systems that store whole seconds, such as FAT. */
const LONG_TICK_MS = 2_000;

/**
 * Whether every change after `now` will show: a signature from the current tick proves nothing, and neither does that of a path that
 * cannot be reached. What is read between must be read after `now`.
 */
export function isReliable({ ctimeMs }: Pick<Signature, "ctimeMs">, now = Date.now()): boolean {
  return ctimeMs >= 0 && now - ctimeMs > (ctimeMs % 1_000 === 0 ? LONG_TICK_MS : TICK_MS);
}

export function isSameSignature(a: Signature | undefined, b: Signature | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  return a.ctimeMs === b.ctimeMs && a.ino === b.ino;
}
