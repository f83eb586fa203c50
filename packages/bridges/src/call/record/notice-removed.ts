import { statSync } from "node:fs";
import { readPlainFile, replacePlainFile } from "@tenterhook/internal/files";
import { type WatchedFile, watchedFile, watchedFiles } from "../../session/watched-file.ts";
import { PROCEED, type Verdict } from "../decide/verdict.ts";
import type { NativeAnswer } from "../encode/lower.ts";
import { lowerFor } from "../encode/lower-for.ts";
import type { OpenCall } from "../read/open-call.ts";
import { logUnasked } from "./log-unasked.ts";

/** Checks whether changed files still have our entries. Missing ones are reported once a session. */
export function noticeRemoved(
  open: OpenCall,
  written: readonly WatchedFile[],
  given: NativeAnswer,
): NativeAnswer {
  const { native, location } = open;
  const missing = written.map((file) => ({ file, events: missingEvents(file) }));
  const lost = missing.filter(({ events }) => events.length > 0);
  if (lost.length === 0) {
    confirmEntries(location.state, native.client.id);
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
  const canShow = event.waits !== false && event.powers.note !== undefined;
  // The decision takes precedence; the next call reports the removal.
  if (canShow && (given.stdout !== "" || given.exit !== 0)) return given;
  if (!location.session.isNewNotice(`reported ${note}`)) return given;
  // An event that cannot show it leaves it to one that can.
  const lowered = lowerFor(open, verdict, first);
  logUnasked(open, first, verdict, lowered);
  return canShow ? lowered.answer : given;
}

/** The events whose entries are no longer in a file. */
function missingEvents({ path, texts }: WatchedFile): readonly string[] {
  let text = "";
  try {
    text = readPlainFile(path);
  } catch {
    // A missing file has none of them.
  }
  return Object.entries(texts)
    .filter(([, written]) => !text.includes(written))
    .map(([event]) => event);
}

/** Records that our entries are still in the files. */
function confirmEntries(state: string, client: string): void {
  try {
    const now = watchedFiles(state, client).map((file) => {
      const { ino, mtimeMs, size } = statSync(file.path);
      return { ...file, ino, mtimeMs, size };
    });
    replacePlainFile(watchedFile(state, client), JSON.stringify(now));
  } catch {
    // The next call checks again.
  }
}
