import { renameSync, statSync, writeFileSync } from "node:fs";
import { readPlainFile } from "@tenterhook/file-hooks";
import { PROCEED, type Verdict } from "../judge/verdict.ts";
import { logUnasked } from "../log/log-unasked.ts";
import type { NativeAnswer } from "../lower/lower.ts";
import { lowerFor, type OpenCall } from "../open-call.ts";
import { type WatchedFile, watchedFile, watchedFiles } from "./watched-file.ts";

/** Looks whether our entries are still in files that were written to. Those that are not are reported once a session. */
export function noticeRemoved(
  open: OpenCall,
  written: readonly WatchedFile[],
  given: NativeAnswer,
): NativeAnswer {
  const { native, location } = open;
  const missing = written.map((file) => ({ file, events: missingEvents(file) }));
  const lost = missing.filter(({ events }) => events.length > 0);
  if (lost.length === 0) {
    seen(location.state, native.client.id);
    return given;
  }
  const messages = lost.map(
    ({ file, events }) =>
      `${file.path} no longer holds the entries for ${events.join(", ")}, so hooks do not hold there; if that was not you, run: tenterhook doctor`,
  );
  const note = messages.join("\n");
  const { event } = native;
  const [first = "on_error"] = event.events;
  const verdict: Verdict = { ...PROCEED, notes: messages };
  const lowered = lowerFor(open, verdict, first);
  const canTell = event.waits !== false && event.powers.note !== undefined;
  // What was decided comes first; the next call reports it.
  if (canTell && given.stdout !== "") return given;
  if (!location.session.notices(`${canTell ? "told" : "logged"} ${note}`)) return given;
  logUnasked(open, first, verdict, lowered);
  return canTell ? lowered.answer : given;
}

/** The events whose entries are no longer in a file. */
function missingEvents({ path, texts }: WatchedFile): readonly string[] {
  let text = "";
  try {
    text = readPlainFile(path);
  } catch {
    // A file that is gone holds none of them.
  }
  return Object.entries(texts)
    .filter(([, written]) => !text.includes(written))
    .map(([event]) => event);
}

/** The client has written to its file, and our entries are still in it. */
function seen(state: string, client: string): void {
  try {
    const now = watchedFiles(state, client).map((file) => {
      const { ino, mtimeMs, size } = statSync(file.path);
      return { ...file, ino, mtimeMs, size };
    });
    const draft = `${watchedFile(state, client)}.${process.pid}`;
    writeFileSync(draft, JSON.stringify(now), { mode: 0o600 });
    renameSync(draft, watchedFile(state, client));
  } catch {
    // The next call looks again.
  }
}
