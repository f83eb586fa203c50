import type { HookExit } from "./hook-process.ts";

/** A log need not have all of it. */
const LONGEST = 8_000;

/** Hands on what a process printed, standard output first; an empty one is left out. */
export function reportOutput({ stdout, stderr }: HookExit, onOutput?: (text: string) => void): void {
  for (const text of [stdout.text, stderr].map((part) => part.trim()))
    if (text !== "") onOutput?.(text.length <= LONGEST ? text : `${text.slice(0, LONGEST)} … (cut)`);
}
