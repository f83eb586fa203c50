import { join } from "node:path";
import { HOOK_FILE, hookFileIn, LOWER_CASE_HOOK_FILE } from "@tenterhook/file-hooks/discover";
import { readPlainFile } from "@tenterhook/internal/files";
import type { Finding } from "@tenterhook/protocol";
import { namesIn } from "../hook-folders.ts";

/** A model reads the whole file when its event comes. */
const MAX_TOKENS = 1_000;
const CHARACTERS_PER_TOKEN = 4;

/** Problems of a hook's file itself: another one beside it, and its length. */
export function fileFindings(folder: string): readonly Finding[] {
  return [...secondFile(folder), ...tooLong(hookFileIn(folder))];
}

/** By their names as they are stored: where the file system ignores case, there is only one. */
function secondFile(folder: string): readonly Finding[] {
  const names = namesIn(folder);
  if (!names.includes(HOOK_FILE) || !names.includes(LOWER_CASE_HOOK_FILE)) return [];
  const message = `not read, because ${HOOK_FILE} beside it counts; remove one of them`;
  return [{ severity: "warning", file: join(folder, LOWER_CASE_HOOK_FILE), message }];
}

function tooLong(file: string): readonly Finding[] {
  const tokens = Math.ceil(countCharacters(file) / CHARACTERS_PER_TOKEN);
  if (tokens <= MAX_TOKENS) return [];
  const [about, most] = [tokens, MAX_TOKENS].map((number) => number.toLocaleString("en-US"));
  const message = `it has about ${about} tokens (characters / ${CHARACTERS_PER_TOKEN}), and should have at most ${most}: a model reads all of it; move details to other files of the folder`;
  return [{ severity: "warning", file, message }];
}

function countCharacters(file: string): number {
  let characters = 0;
  try {
    for (const _character of readPlainFile(file)) characters++;
  } catch {
    // What cannot be read is reported elsewhere.
  }
  return characters;
}
