import { appendFile, mkdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { messageOf } from "@tenterhook/internal";
import { type Message, TenterhookError } from "@tenterhook/protocol";
import { foldTranscript, type SessionStore, type TranscriptEntry } from "./session-store.ts";

/** Ids become file names: letters, digits, `.`, `_` and `-`, and never `..` or a hidden file. */
const USABLE_ID = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,199}$/;

/**
 * Conversations in a folder, one file each, one line for each entry. Lines are only appended: a crash during a write leaves at most
 * one incomplete last line, which is ignored when the session is read.
 */
export function fileSessions(folder: string): SessionStore {
  const fileOf = (sessionId: string): string => {
    if (USABLE_ID.test(sessionId)) return join(folder, `${sessionId}.jsonl`);
    const problem = `the session id ${JSON.stringify(sessionId)} cannot name a file.`;
    const hint = "Use letters, digits, dots, hyphens and underscores, at most 200.";
    throw new TenterhookError("bad_session", problem, { hint });
  };
  return {
    async load(sessionId) {
      const file = fileOf(sessionId);
      const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
        if (error.code === "ENOENT") return undefined;
        throw error;
      });
      return text === undefined ? undefined : parseTranscript(text, file);
    },
    async append(sessionId, entries) {
      const file = fileOf(sessionId);
      await mkdir(folder, { recursive: true, mode: 0o700 });
      // Line breaks on both sides, so that an incomplete line of a crashed process stays separate and can be recognised.
      const lines = entries.map((entry) => `\n${JSON.stringify(entry)}\n`).join("");
      await appendFile(file, lines, { mode: 0o600 });
    },
    async delete(sessionId) {
      await rm(fileOf(sessionId), { force: true });
    },
  };
}

function parseTranscript(text: string, file: string): Message[] {
  const lines = text.split("\n");
  const entries: TranscriptEntry[] = [];
  let broken: { readonly line: number; readonly why: string } | undefined;
  for (const [index, line] of lines.entries()) {
    if (line === "") continue;
    try {
      entries.push(parseEntry(line));
    } catch (error) {
      // A complete line is followed by an empty one. Without it, a crashed process left the line; otherwise the file is damaged.
      if (lines[index + 1] !== "") continue;
      broken ??= { line: index + 1, why: messageOf(error) };
    }
  }
  if (broken === undefined) return foldTranscript(entries);
  const problem = `${file}:${broken.line} is not an entry of a session: ${broken.why}.`;
  const hint = "Repair or remove the line, or start another session.";
  throw new TenterhookError("bad_session", problem, { hint });
}

function parseEntry(line: string): TranscriptEntry {
  const entry = JSON.parse(line) as TranscriptEntry;
  const isEntry = entry?.type === "messages" || entry?.type === "replaced";
  if (!isEntry || !Array.isArray(entry.messages)) throw new Error("it lacks a type or messages");
  return entry;
}
