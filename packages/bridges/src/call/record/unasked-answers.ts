import { statSync } from "node:fs";
import { join } from "node:path";
import { typedCommand } from "@tenterhook/internal";
import { readPlainFile, replacePlainFile } from "@tenterhook/internal/files";
import type { EventName } from "@tenterhook/protocol";
import type { Refusal } from "../../session/bridge-session.ts";
import { type CallVerdict, onErrorVerdict, PROCEED } from "../decide/call-verdict.ts";
import { type NativeAnswer, NOTHING } from "../encode/encode.ts";
import { encodeFor } from "../encode/encode-call.ts";
import type { OpenCall } from "../read/read-call.ts";
import { type DecisionRecord, logUnasked } from "./decision-log.ts";
import { type WatchedFile, watchedFile, watchedFiles } from "./watched-file.ts";

/** Answers and logs a verdict for which no hook was asked. */
export function answerUnasked(open: OpenCall, event: EventName, verdict: CallVerdict): NativeAnswer {
  const encoded = encodeFor(open, verdict, event);
  logUnasked(open, event, verdict, encoded);
  return encoded.answer;
}

/** Hooks that were not asked about an earlier event, whose `on_error` decides about a call. */
export interface Unasked {
  readonly event: EventName;
  /** Those that must block. */
  readonly guards: readonly string[];
  readonly why: string;
  /** The event that is refused in its place. */
  readonly refused: EventName;
  /** For how long later calls are refused too; `undefined`: they are not. */
  readonly until: Refusal["until"] | undefined;
}

/** Returns an answer where the call must not pass; else its own answer shows why it could. */
export function answerByOnError(
  open: OpenCall,
  { event, guards, why, refused, until }: Unasked,
): NativeAnswer | undefined {
  const { session } = open.location;
  const verdict = onErrorVerdict(event, guards, why);
  if (verdict.type === "proceed") {
    for (const note of verdict.notes) if (session.isNewNote(note)) session.keepNote(note, "notes-unseen");
    logUnasked(open, refused, verdict, { answer: NOTHING, kind: "nothing", shortfalls: [] });
    return undefined;
  }
  if (until !== undefined) session.refuse({ reason: verdict.reason, until });
  return answerUnasked(open, refused, verdict);
}

/** The answer to a call of doctor: the refusal of its hook, and otherwise a refusal that says that the hook did not refuse. */
export function refusedProbe(open: OpenCall, answer: NativeAnswer): NativeAnswer {
  if (isRefused(open.location.state)) return answer;
  const reason = "the hook of tenterhook doctor did not refuse this call, which it always does";
  const [event] = open.native.event.events;
  return encodeFor(open, { type: "block", reason, context: [], notes: [] }, event).answer;
}

function isRefused(state: string): boolean {
  try {
    const record = JSON.parse(readPlainFile(join(state, "audit.jsonl"))) as DecisionRecord;
    return record.reported === "block";
  } catch {
    return false;
  }
}

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
  const reported = answerUnasked(open, first, verdict);
  return canShow ? reported : answer;
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
