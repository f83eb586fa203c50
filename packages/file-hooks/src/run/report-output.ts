import { shortened } from "@tenterhook/internal";
import type { HookExit } from "./hook-process.ts";

/** The longest output that is logged. */
const LONGEST = 8_000;

/** Logs what a process printed, standard output first; an empty one is left out. */
export function reportOutput({ stdout, stderr }: HookExit, onOutput?: (text: string) => void): void {
  for (const text of [stdout.text, stderr].map((part) => part.trim()))
    if (text !== "") onOutput?.(shortened(text, LONGEST));
}
