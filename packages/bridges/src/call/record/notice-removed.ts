import { statSync } from "node:fs";
import { typedCommand } from "@tenterhook/internal";
import { readPlainFile, replacePlainFile } from "@tenterhook/internal/files";
import { type CallVerdict, PROCEED } from "../decide/call-verdict.ts";
import { encodeFor } from "../encode/encode-for.ts";
import type { NativeAnswer } from "../encode/native-answer.ts";
import type { OpenCall } from "../read/open-call.ts";
import { logUnasked } from "./log-unasked.ts";
import { type WatchedFile, watchedFile, watchedFiles } from "./watched-file.ts";

/** Checks whether changed files still have our entries. Missing ones are reported once a session. */
export function noticeRemoved(
  open: OpenCall,
  written: readonly WatchedFile[],
  answer: NativeAnswer,
): NativeAnswer {
  const { native, location } = open;
  const missing = written.map((file) => ({ file, events: missingEvents(file) }));
  const lost = missing.filter(({ events }) => events.length > 0);
  if (lost.length === 0) {
    confirmEntries(location.state, native.client.id);
    return answer;
  }
  const messages = lost.map(
    ({ file, events }) =>
      `${file.path} no longer contains the entries for ${events.join(", ")}, so hooks are not enforced there; if that was not you, run: ${typedCommand()} doctor`,
  );
  const note = messages.join("\n");
  const { event } = native;
  const [first = "on_error"] = event.events;
  const verdict: CallVerdict = { ...PROCEED, notes: messages };
  const canShow = event.waits !== false && event.capabilities.note !== undefined;
  // The decision takes precedence; the next call reports the removal.
  if (canShow && (answer.stdout !== "" || answer.exit !== 0)) return answer;
  if (!location.session.isNewNotice(`reported ${note}`)) return answer;
  // An event that cannot show it leaves it to one that can.
  const encoded = encodeFor(open, verdict, first);
  logUnasked(open, first, verdict, encoded);
  return canShow ? encoded.answer : answer;
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
