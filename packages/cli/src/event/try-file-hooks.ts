import { type Action, createHooks, type Dispatch, type EventName, type TraceEntry } from "@tenterhook/engine";
import { auditLog, redactValue } from "@tenterhook/engine/built-in";
import { LogFile } from "@tenterhook/engine/internal";
import { FileHooks } from "@tenterhook/file-hooks";
import { eventRow } from "@tenterhook/protocol";
import { formatVerdict } from "@tenterhook/protocol/internal";
import { auditFailure, auditFile, makeAuditFolder } from "../audit/audit-record.ts";
import { EXIT, type ExitCode } from "../command.ts";
import { untilInterrupted } from "../interrupt.ts";
import { inOwnSession } from "../own-session.ts";
import {
  bold,
  type Cell,
  dim,
  duration,
  green,
  notify,
  oneLine,
  print,
  printable,
  printJson,
  red,
  table,
  yellow,
} from "../terminal.ts";
import { workingFolder } from "../working-folder.ts";
import { type DescribedEffect, describeEffects, effectsData, printEffects } from "./describe-effects.ts";
import { type DescribedEvent, type Description, describedEvent } from "./described-event.ts";
import { type DifferentInRun, differsInRun } from "./differs-in-run.ts";
import { dispatchFully, type FullDispatch } from "./dispatch-fully.ts";
import { plainText } from "./resolve-event.ts";

interface TryOptions extends Omit<Description, "name" | "file"> {
  /** A file with the event. */
  readonly event: string | undefined;
  readonly dir: string | undefined;
  readonly json: boolean;
}

/** Runs the hooks in HOOK.md folders of an event, trusted or not, and prints their answers and the result. */
export async function tryFileHooks(
  name: string | undefined,
  { tool, input, command, event: file, dir, json }: TryOptions,
): Promise<ExitCode> {
  const workDir = workingFolder(dir);
  const settings = new Map<string, string>();
  const fileHooks = new FileHooks({
    cwd: workDir,
    trustAll: true,
    log: notify,
    onRuleSetting: (hook, setting) => void settings.set(hook, setting),
  });
  const { state } = fileHooks.locations;
  const done = await inOwnSession("try", state, async (sessionId) => {
    const described = await describedEvent({ name, tool, input, command, file }, { workDir, sessionId });
    const hooks = createHooks({ report: ({ message }) => notify(message) });
    fileHooks.attach(hooks);
    makeAuditFolder(fileHooks.locations);
    const trail = new LogFile({ path: auditFile(fileHooks.locations) });
    const write = (line: string) => trail.append([trialLine(line, described)]);
    const audit = auditLog(hooks, { write, onError: reportUnwritten });
    const full = await untilInterrupted((signal) => dispatchFully(hooks, described, signal));
    await audit.flush();
    const { entries } = full;
    const different = await differsInRun(described.event, { cwd: workDir, tried: fileHooks, entries });
    const effects = await describeEffects(fileHooks, described);
    return { ...full, different, effects };
  });
  if (json) printJson(asData(done));
  else {
    const isAboutEffects = command !== undefined || done.effects?.some(({ hooks }) => hooks.length > 0);
    if (done.effects !== undefined && isAboutEffects) printEffects(done.effects);
    printTimeline(done);
    const setting = settings.get(done.dispatch.hook ?? "");
    if (setting !== undefined) print(dim(printable(setting)));
    for (const each of done.different) print(yellow(differenceLine(each)));
  }
  if (done.isInterrupted) return EXIT.interrupted;
  return PROCEEDING.has(done.dispatch.action) ? EXIT.ok : EXIT.refused;
}

/** Actions after which the operation proceeds, or has already happened. */
const PROCEEDING: ReadonlySet<Action> = new Set(["go_on", "record", "release", "recover"]);

function reportUnwritten(error: unknown): void {
  notify(auditFailure(error));
}

/** A line of the audit trail with what makes it a trial: the mark, and what was tried. */
function trialLine(line: string, { payload }: DescribedEvent): string {
  const record = JSON.parse(line) as Record<string, unknown>;
  const { command, file_path } = Object(Object(payload).toolInput) as Record<string, unknown>;
  const subject = command ?? file_path;
  const isShown = typeof subject === "string" && record.unreadable === undefined;
  const more = isShown ? { subject: String(redactValue(subject)).slice(0, LONGEST_SUBJECT) } : {};
  return `${JSON.stringify({ ...record, trial: true, ...more })}\n`;
}

/** As in the records of coding agents. */
const LONGEST_SUBJECT = 300;

interface Tried extends FullDispatch {
  readonly different: readonly DifferentInRun[];
  readonly effects: readonly DescribedEffect[] | undefined;
}

function differenceLine({ hook, effect, why, isReplaced }: DifferentInRun): string {
  const does = effect === "blocks" ? "refuse this in the place of" : "skip";
  const own = isReplaced ? ", and call your own hook of that name" : "";
  return printable(`A real run would ${does} ${hook}${own}; it is ${why}`);
}

function asData({ dispatch, entries, different, effects }: Tried): Record<string, unknown> {
  const { toolInput } = dispatch.payload as { toolInput?: unknown };
  return {
    outcome: dispatch.outcome.type,
    reason: dispatch.reason ?? null,
    hook: dispatch.hook ?? null,
    tool_input: toolInput ?? null,
    additional_context: dispatch.context.length === 0 ? null : dispatch.context.join("\n"),
    effects: effects === undefined ? null : effectsData(effects),
    trace: entries.map(entryData),
    untrusted: different.map(({ hook, source, effect, why }) => ({ hook, source, effect, why })),
  };
}

function entryData(entry: Readonly<TraceEntry>): Record<string, unknown> {
  return {
    hook: entry.hook,
    source: entry.source,
    outcome: entry.verdict,
    duration_ms: entry.durationMs === undefined ? null : microseconds(entry.durationMs),
    mode: entry.mode,
    action: entry.action,
    ...(entry.pass === "judging" && { judging: true }),
    ...(entry.reason !== undefined && { reason: entry.reason }),
    ...(entry.error !== undefined && { error: entry.error.code }),
    ...(entry.context !== undefined && { additional_context: entry.context }),
    ...(entry.changes !== undefined && { changes: entry.changes }),
    ...(entry.body && { body: entry.body }),
  };
}

/** Further digits of the clock are noise. */
function microseconds(ms: number): number {
  return Math.round(ms * 1_000) / 1_000;
}

function printTimeline({ dispatch, entries }: FullDispatch): void {
  if (entries.length === 0) print(dim("No matching hooks."));
  else print(table(entries.map(timelineRow)));
  print();
  print(verdictLine(dispatch));
  for (const { hook, verdict, changes = [] } of entries) {
    const did = verdict === "would_change" ? formatVerdict(verdict) : "changed";
    for (const { field, after } of changes)
      print(oneLine(`${hook} ${did} ${field} to ${JSON.stringify(after)}`));
  }
  for (const text of dispatch.context) print(`for the model: ${printable(text)}`);
}

function timelineRow(entry: Readonly<TraceEntry>): Cell[] {
  const { hook, verdict, mode, pass, durationMs, reason = "" } = entry;
  const how = [mode === "background" ? "background" : "", pass === "judging" ? "second judgement" : ""]
    .filter(Boolean)
    .join(", ");
  return [
    `  ${hook}`,
    { text: formatVerdict(verdict), style: VERDICT_STYLES[verdict] },
    duration(durationMs),
    { text: how, style: dim },
    reason,
  ];
}

const VERDICT_STYLES = {
  proceed: green,
  recover: green,
  skip: yellow,
  ask: yellow,
  block: red,
  stop: red,
  failed: yellow,
  unmatched: dim,
  started: dim,
  would_block: yellow,
  would_change: yellow,
  would_ask: yellow,
  would_stop: yellow,
  would_skip: yellow,
  would_recover: yellow,
};

function verdictLine({ event, outcome, action, reason, hook, error }: Dispatch<EventName>): string {
  const row = eventRow(event);
  const by = hook === undefined ? "" : ` by ${printable(hook)}`;
  const why = reason === undefined ? "" : `: ${printable(reason)}`;
  const meaning = (means: string) => `\n${dim(`At this event: ${plainText(means)}.`)}`;
  if (outcome.type === "stop") {
    return `${bold(red(`stopped${by}`))}${why}${meaning(action === "stop" ? "the whole run ends" : "recorded")}`;
  }
  if (outcome.type === "block") {
    return `${bold(red(`blocked${by}`))}${why}${meaning((error === undefined ? row.block : row.failure).means)}`;
  }
  if (error === undefined) return bold(green("proceeds"));
  return `${bold(yellow("proceeds, although a required hook failed"))}: ${printable(error.message)}${meaning(row.failure.means)}`;
}
