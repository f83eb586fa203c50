import { existsSync } from "node:fs";
import { typedCommand } from "@tenterhook/internal";
import { auditLines } from "../audit/audit-lines.ts";
import { readRecord } from "../audit/audit-record.ts";
import { formatPath } from "../format-hook.ts";
import { UsageError } from "../usage-error.ts";
import { DecisionSums } from "./decision-sums.ts";

/** The period of the decision log that is read, and the hook whose calls are counted, if it is one. */
export interface LogPeriod {
  readonly sinceMs: number;
  readonly untilMs: number;
  readonly hook: string | undefined;
}

export interface ReadLog {
  readonly sums: DecisionSums;
  /** When the oldest record was that is left; null without any. */
  readonly recordedSince: string | null;
  readonly unreadableLines: number;
}

/** Adds up the decision log of this machine, line by line. Throws a `UsageError` when there is none. */
export async function readLog(path: string, { sinceMs, untilMs, hook }: LogPeriod): Promise<ReadLog> {
  const recordedSince = await findFirstTime(path);
  if (recordedSince === null && !existsSync(path)) throw missingLog(path);
  const sums = new DecisionSums(hook);
  const since = new Date(sinceMs).toISOString();
  let unreadableLines = 0;
  for await (const lines of auditLines(path, { sinceMs })) {
    for (const line of lines) {
      if (isBefore(line, since)) continue;
      const record = readRecord(line);
      const timeMs = record === undefined ? Number.NaN : Date.parse(record.time);
      if (record === undefined || Number.isNaN(timeMs)) unreadableLines += line.trim() === "" ? 0 : 1;
      else if (timeMs >= sinceMs && timeMs <= untilMs && !isTrial(record.session_id)) sums.add(record);
    }
  }
  return { sums, recordedSince, unreadableLines };
}

function missingLog(path: string): UsageError {
  return new UsageError(
    `there is no decision log: ${formatPath(path)} does not exist.`,
    `Coding agents write it when they call a hook: ${typedCommand()} install. The numbers of a coordinator are on its page.`,
    { code: "no_decision_log", path },
  );
}

async function findFirstTime(path: string): Promise<string | null> {
  for await (const lines of auditLines(path)) {
    for (const line of lines) {
      const record = readRecord(line);
      if (record !== undefined && !Number.isNaN(Date.parse(record.time))) return record.time;
    }
  }
  return null;
}

const BEGINNING = '{"time":"';
const TIME_LENGTH = "2026-11-15T09:00:00.000Z".length;

/** Whether a line begins with an earlier time. Most lines of a log are too old, and to parse them takes most of the time. */
function isBefore(line: string, time: string): boolean {
  const end = BEGINNING.length + TIME_LENGTH;
  return (
    line.startsWith(BEGINNING) &&
    line[end - 1] === "Z" &&
    line[end] === '"' &&
    line.slice(BEGINNING.length, end) < time
  );
}

/** Whether a record is of `tenterhook try`: it was a person who asked, and nothing happened. */
function isTrial(session: unknown): boolean {
  return typeof session === "string" && /^try-[0-9a-f]{12}$/.test(session);
}
