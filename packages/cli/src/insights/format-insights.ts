import { shortened } from "@tenterhook/internal";
import { fullPath } from "../format-hook.ts";
import { bold, dim, oneLine, plain, red, type Style, table, yellow } from "../terminal.ts";
import { addDecisions, chooseColumns, countIn, formatOutcome } from "./decision-columns.ts";
import { formatTime } from "./insight-period.ts";
import type { HookFinding, InsightReport, LatestDecision } from "./insight-report.ts";
import { formatCount, formatEstimate, numberTable, type TableColumn } from "./number-table.ts";

/** How a report is printed. */
export interface FormatOptions {
  /** The width of the terminal; without one, nothing is cut off. */
  readonly width: number;
  /** The names of coding agents by their ids. */
  readonly agents: ReadonlyMap<string, string>;
}

const MAX_HOOKS = 40;
const MAX_NAMES = 10;
const MAX_REASONS = 10;

/** A report for a terminal. */
export function formatInsights(report: InsightReport, options: FormatOptions): string {
  const { current, hooks, findings } = report;
  const isEmpty = hooks.length === 0;
  const sections = [
    header(report, options.width),
    isEmpty ? "No hook was called." : decisionLines(current.decisions),
    isEmpty ? "" : hooksTable(report, options.width),
    namesTable("coding agent", agentRows(report, options), options.width),
    namesTable("tool", toolRows(report), options.width),
    section("Most frequent reasons", reasonsTable(report, options.width)),
    section("Latest decisions", latestTable(report.latest ?? [], options)),
    section("To look at", findings.map((finding) => findingText(finding, options.width)).join("\n")),
    isEmpty ? "" : dim("~ p50 and p95 are estimates from buckets of durations."),
  ];
  return sections.filter((text) => text !== "").join("\n\n");
}

function section(title: string, text: string): string {
  return text === "" ? "" : `${bold(title)}\n${text}`;
}

function header({ source, since, until, recorded_since }: InsightReport, width: number): string {
  const what = `Decision log of this machine: ${fullPath(source.file)}`;
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const times = `${formatTime(Date.parse(since))} to ${formatTime(Date.parse(until))}, ${zone}`;
  const isLater = recorded_since !== null && Date.parse(recorded_since) > Date.parse(since);
  const recorded = isLater ? `; recorded since ${formatTime(Date.parse(recorded_since))}` : "";
  return `${bold(oneLine(what))}\n${dim(wrapText(`${times}${recorded}`, width))}`;
}

/** `4,300 calls of hooks`, and `4,285 passed, 12 blocked, 3 failed` on a line of its own. */
function decisionLines(decisions: InsightReport["current"]["decisions"]): string {
  const calls = Object.values(decisions).reduce((sum, times) => sum + times, 0);
  const parts = chooseColumns(decisions).map((column) => {
    const did = column.title === "would have" ? "would have acted" : column.title;
    return column.style(`${formatCount(countIn(decisions, column))} ${did}`);
  });
  return `${bold(formatCount(calls))} ${calls === 1 ? "call" : "calls"} of hooks\n${parts.join(", ")}`;
}

function hooksTable({ hooks, current }: InsightReport, width: number): string {
  type Row = InsightReport["hooks"][number];
  const isUnique = new Set(hooks.map(({ hook }) => hook)).size === hooks.length;
  const estimated = (ms: number | null) => (ms === null ? "-" : `~${formatEstimate(ms)}`);
  const columns: readonly TableColumn<Row>[] = [
    { title: "hook", isName: true, text: ({ hook }) => hook },
    { title: "event", isName: true, isOptional: isUnique, text: ({ event }) => event },
    { title: "calls", text: ({ calls }) => formatCount(calls) },
    ...decisionColumns<Row>(current.decisions),
    { title: "p50", isOptional: true, text: ({ duration: { p50_ms } }) => estimated(p50_ms) },
    { title: "p95", text: ({ duration: { p95_ms } }) => estimated(p95_ms) },
  ];
  return [numberTable(columns, hooks.slice(0, MAX_HOOKS), width), moreLine(hooks.length, MAX_HOOKS)]
    .filter(Boolean)
    .join("\n");
}

interface NamedRow {
  readonly name: string;
  readonly calls: number;
  readonly decisions: Readonly<Record<string, number>>;
}

function agentRows({ decisions_by_agent }: InsightReport, { agents }: FormatOptions): readonly NamedRow[] {
  return decisions_by_agent.map(({ agent, ...rest }) => ({ name: agents.get(agent) ?? agent, ...rest }));
}

function toolRows({ decisions_by_tool }: InsightReport): readonly NamedRow[] {
  return decisions_by_tool.map(({ tool, ...rest }) => ({ name: tool === "" ? "(no tool)" : tool, ...rest }));
}

function namesTable(title: string, rows: readonly NamedRow[], width: number): string {
  if (rows.length === 0) return "";
  const decisions = addDecisions(rows.map((row) => row.decisions));
  const columns: readonly TableColumn<NamedRow>[] = [
    { title, isName: true, text: ({ name }) => name },
    { title: "calls", text: ({ calls }) => formatCount(calls) },
    ...decisionColumns<NamedRow>(decisions),
  ];
  const shown = numberTable(columns, rows.slice(0, MAX_NAMES), width);
  return [shown, moreLine(rows.length, MAX_NAMES)].filter(Boolean).join("\n");
}

function decisionColumns<R extends Pick<NamedRow, "decisions">>(
  all: Readonly<Record<string, number>>,
): readonly TableColumn<R>[] {
  return chooseColumns(all).map((column) => ({
    title: column.title,
    isOptional: column.title === "passed",
    text: ({ decisions }: R) => formatCount(countIn(decisions, column)),
    style: ({ decisions }: R): Style => (countIn(decisions, column) === 0 ? dim : column.style),
  }));
}

function moreLine(all: number, shown: number): string {
  return all > shown ? dim(`and ${formatCount(all - shown)} more, in --json`) : "";
}

function reasonsTable({ reasons }: InsightReport, width: number): string {
  const rows = reasons
    .slice(0, MAX_REASONS)
    .map(({ count, hook, outcome, reason }) => [
      formatCount(count),
      hook,
      formatOutcome(outcome),
      reason === "" ? "(other reasons)" : reason,
    ]);
  const digits = Math.max(0, ...rows.map(([count = ""]) => count.length));
  return cutTable(
    rows.map(([count = "", ...rest]) => [count.padStart(digits), ...rest]),
    width,
  );
}

function latestTable(latest: readonly LatestDecision[], { width, agents }: FormatOptions): string {
  const rows = latest.map(({ time, agent, tool, event, subject, outcome, reason }) => [
    formatTime(Date.parse(time)),
    agents.get(agent) ?? agent,
    formatOutcome(outcome),
    [tool === "" ? event : tool, subject ?? reason ?? ""].filter(Boolean).join(" "),
  ]);
  return cutTable(rows, width);
}

/** Rows in columns, each line cut off at the width. */
function cutTable(rows: readonly (readonly string[])[], width: number): string {
  if (rows.length === 0) return "";
  return table(rows)
    .split("\n")
    .map((line) => (Number.isFinite(width) ? shortened(line, width) : line))
    .join("\n");
}

const FINDING_STYLES: Readonly<Record<HookFinding["finding"], Style>> = {
  failing: red,
  slow: yellow,
  never_fired: plain,
  always_passes: plain,
  not_enforced: yellow,
};

function findingText({ finding, text }: HookFinding, width: number): string {
  const style = FINDING_STYLES[finding];
  return `- ${style(wrapText(oneLine(text), width - 2, "  "))}`;
}

/** A text in lines of at most `width` characters, all but the first indented. A longer word gets a line of its own. */
function wrapText(text: string, width: number, indent = ""): string {
  if (!Number.isFinite(width)) return text;
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && line.length + 1 + word.length > width) {
      lines.push(line);
      line = `${indent}${word}`;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line].join("\n");
}
