import { resolve, sep } from "node:path";
import { loadClients } from "@tenterhook/bridges/clients";
import { findLocations } from "@tenterhook/file-hooks";
import { formatVerdict, normalName } from "@tenterhook/protocol/internal";
import { agentSentence } from "../audit/agent-sentence.ts";
import { auditLines } from "../audit/audit-lines.ts";
import { type AuditRecord, auditFile, readRecord, wasRefused } from "../audit/audit-record.ts";
import { since } from "../audit/since.ts";
import { Tail } from "../audit/tail.ts";
import { namedClients } from "../clients/named-clients.ts";
import { defineCommand, EXIT, option } from "../command.ts";
import { formatPath } from "../format-hook.ts";
import { DEFAULT_SINCE, readPeriod } from "../insights/insight-period.ts";
import { untilInterrupted } from "../interrupt.ts";
import { refuseMisplaced } from "../read-arguments.ts";
import {
  bold,
  count,
  dim,
  duration,
  green,
  jsonText,
  notify,
  oneLine,
  print,
  red,
  yellow,
} from "../terminal.ts";

const DEFAULT_LIMIT = 100;
const OF_COORDINATOR =
  "It reads the decision log of this machine. The numbers of a coordinator are on its page, and a program reads them with GET /insights.";

export const log = defineCommand({
  usage:
    "log [--follow] [--blocked] [--hook H] [--client C] [--session ID] [--project DIR] [--since 1h] [--limit N] | log --summary [--since 7d] [--hook H]",
  about:
    "Shows the audit trail: which hook decided what, when, at which event, and how long it took. Secrets are redacted.\n" +
    "With --json, each line is one record.\n" +
    "With --summary, shows what hooks decided and how long they took: calls by outcome, by coding agent and by tool, reasons, and\n" +
    "what to look at: hooks that never fire, always pass, fail, are slow, or are not enforced, with what they would have done.\n" +
    "Those of a coordinator are on its page.",
  options: {
    follow: option.flag("follow new records, until Ctrl-C"),
    client: option.list("C", "only what was decided in this coding agent; several, with commas"),
    session: option.text("ID", "only one session; the first characters are enough"),
    project: option.text("DIR", "only one project; . is the one here"),
    blocked: option.flag("only blocked and stopped operations"),
    hook: option.text("H", "only calls of one hook"),
    since: option.text(
      "WHEN",
      `a duration (30m, 1h, 2d) or a time (2026-11-15T09:00); of a summary by default ${DEFAULT_SINCE}`,
    ),
    limit: option.number("N", `at most the last N (default ${DEFAULT_LIMIT})`),
    summary: option.flag("count what hooks decided, in place of single records"),
  },
  otherOptions: { url: OF_COORDINATOR, token: OF_COORDINATOR, data: OF_COORDINATOR },
  examples: [
    {
      command: "tenterhook log --blocked --since 1h",
      means: "refusals of the last hour",
    },
    { command: "tenterhook log --follow --json | jq .reason", means: "live, for a program" },
    { command: "tenterhook log --summary", means: "what hooks decided in the last seven days" },
    { command: "tenterhook log --summary --hook no-force-push --since 4w", means: "one hook" },
  ],
  async run({ summary, ...values }) {
    const {
      follow,
      blocked,
      hook,
      since: from,
      limit: max = DEFAULT_LIMIT,
      client,
      session,
      project,
      json,
    } = values;
    if (summary) {
      refuseMisplaced(values, ["follow", "blocked", "client", "session", "project", "limit"], {
        reason: "is for single records, and --summary counts all of them",
        hint: "Omit one of them.",
      });
      const { showSummary } = await import("../insights/show-summary.ts");
      await showSummary(readPeriod(from ?? DEFAULT_SINCE), hook, json);
      return EXIT.ok;
    }
    const path = auditFile(findLocations(process.cwd()));
    const earliest = from === undefined ? Number.NEGATIVE_INFINITY : since(from, Date.now());
    const names = new Map((await loadClients()).map(({ id, name }) => [id, name]));
    const isOf = recordFilter({
      clients: (await namedClients(client)).map(({ id }) => id),
      session,
      project,
      hook,
    });
    const isWanted = (record: AuditRecord) =>
      Date.parse(record.time) >= earliest && (!blocked || wasRefused(record)) && isOf(record);
    const show = json
      ? (record: AuditRecord) => print(jsonText(record))
      : (record: AuditRecord) => printRecord(record, names);
    return untilInterrupted(async (signal) => {
      // Created before the history is read, so that no record is missed or repeated.
      const tail = follow ? new Tail(path) : undefined;
      const { last, earlier, unreadable } = await readHistory(
        auditLines(path, { bytes: tail?.offset }),
        isWanted,
        max,
      );
      if (last.length === 0 && !follow && !json)
        print(`No ${from === undefined && !blocked ? "" : "matching "}records in ${formatPath(path)}.`);
      if (earlier > 0)
        notify(`${count(earlier, "earlier record")} left out; --limit ${earlier + max} shows all`);
      if (unreadable > 0) notify(`${count(unreadable, "line")} of ${path} could not be read`);
      for (const record of last) show(record);
      for await (const line of tail?.lines(signal) ?? []) {
        const record = readRecord(line);
        if (record !== undefined && isWanted(record)) show(record);
      }
      return EXIT.ok;
    });
  },
});

async function readHistory(
  batches: AsyncIterable<readonly string[]>,
  isWanted: (record: AuditRecord) => boolean,
  max: number,
) {
  const last: AuditRecord[] = [];
  let earlier = 0;
  let unreadable = 0;
  for await (const lines of batches) {
    for (const line of lines) {
      const record = readRecord(line);
      if (record === undefined) unreadable += line === "" ? 0 : 1;
      else if (isWanted(record)) last.push(record);
      if (last.length > max) {
        last.shift();
        earlier++;
      }
    }
  }
  return { last, earlier, unreadable };
}

function printRecord(record: AuditRecord, names: ReadonlyMap<string, string>): void {
  const {
    time,
    event,
    tool_name: tool,
    outcome = "unknown",
    decided_by: by,
    reason,
    entries = [],
    client,
    subject,
    trial,
  } = record;
  const style = outcome === "proceed" ? green : red;
  const called = entries.filter(({ verdict }) => verdict !== "unmatched");
  if (client !== undefined) {
    const { sentence, where } = agentSentence(record, names.get(client) ?? client);
    print(`${dim(time)} ${style(oneLine(sentence))}`);
    print(dim(`    ${oneLine(where)}`));
  } else {
    const total = entries.reduce((sum, entry) => sum + (entry.duration_ms ?? 0), 0);
    const call = subject === undefined ? tool : `${tool} ${JSON.stringify(subject)}`;
    const what = `${event}${call === undefined ? "" : ` ${call}`}`;
    const mark = trial ? yellow(" (a trial)") : "";
    print(
      `${dim(time)} ${bold(oneLine(what))} ${style(oneLine(outcome))}${by === undefined ? "" : ` by ${oneLine(by)}`} ${dim(duration(total))}${mark}`,
    );
    if (reason !== undefined) print(`    ${oneLine(reason)}`);
  }
  if (called.length > 0) {
    const each = called.map((entry) =>
      `${entry.hook} ${formatVerdict(entry.verdict)} ${duration(entry.duration_ms)}`.trimEnd(),
    );
    print(dim(`    ${oneLine(each.join(" · "))}`));
  }
  for (const entry of called)
    if (entry.verdict === "failed")
      print(yellow(`    ${oneLine(`${entry.hook}: ${entry.reason ?? entry.error}`)}`));
    else if (entry.verdict.startsWith("would_") && entry.reason !== undefined)
      print(yellow(`    ${oneLine(`${entry.hook} ${formatVerdict(entry.verdict)}: ${entry.reason}`)}`));
  for (const note of record.notes ?? []) print(yellow(`    ${oneLine(note)}`));
}

interface RecordFilter {
  readonly clients: readonly string[];
  readonly session: string | undefined;
  readonly project: string | undefined;
  readonly hook: string | undefined;
}

/** Whether a record is of these coding agents, this session, this project and a call of this hook. */
function recordFilter({ clients, session, project, hook }: RecordFilter): (record: AuditRecord) => boolean {
  const folder =
    project === undefined ? undefined : (findLocations(resolve(project)).project ?? resolve(project));
  return (record) =>
    (clients.length === 0 || clients.includes(record.client ?? "")) &&
    (hook === undefined || isOfHook(record, hook)) &&
    (session === undefined || (record.session_id ?? "").startsWith(session)) &&
    (folder === undefined || record.project === folder || (record.project ?? "").startsWith(folder + sep));
}

function isOfHook({ entries = [] }: AuditRecord, name: string): boolean {
  return entries.some(({ hook, verdict }) => hook === normalName(name) && verdict !== "unmatched");
}
