import { HOOK_FINDINGS, shellWord, typedCommand } from "@tenterhook/internal";
import { WOULD_HAVE, type WouldHave } from "@tenterhook/protocol";
import { addDecisions } from "./decision-columns.ts";
import type { DecisionInsights, HookFinding } from "./insight-report.ts";
import { formatCount, formatEstimate } from "./number-table.ts";

/** A hook that is configured now. */
export interface KnownHook {
  readonly name: string;
  readonly isEnforced: boolean;
  /** Whether its answer may refuse or change something. */
  readonly mayDecide: boolean;
  /** How often it was called. */
  readonly calls: number;
  /** How often it was considered although its matcher did not match. */
  readonly unmatched?: number;
  /** Of a hook that was only sometimes enforced: how many of its calls were not. */
  readonly notEnforcedCalls?: number;
  /** How many of those failed. */
  readonly notEnforcedFailures?: number;
  /** How a person enforces it. */
  readonly toEnforce: string;
}

/** The command that enforces a hook, to be copied into a shell: names are what other people and programs wrote. */
export function enforceCommand(name: string): string {
  return `${typedCommand()} enforce ${shellWord(name)}`;
}

const { fewCalls, fewDurations, failingShare, slowMs } = HOOK_FINDINGS;

/** What stands out in the calls of hooks. `period` is as in "in the last 7 days". */
export function findFindings(
  { hooks, reasons }: Pick<DecisionInsights, "hooks" | "reasons">,
  known: readonly KnownHook[],
  period: string,
): readonly HookFinding[] {
  const calls = addUpByHook(hooks);
  const findings: HookFinding[] = [];
  const add = (hook: string, finding: HookFinding["finding"], text: string) =>
    void findings.push({ hook, finding, text });
  for (const { hook, total, decisions } of calls.values()) {
    const failed = decisions.failed ?? 0;
    if (failed === 0 || failed / total < failingShare) continue;
    const why = reasons.find((row) => row.hook === hook && row.outcome === "failed")?.reason;
    add(hook, "failing", `${hook} failed in ${share(failed, total)}${why ? `, most often: ${why}` : ""}`);
  }
  for (const { hook, event, duration: took } of hooks) {
    if (took.count >= fewDurations && took.p95_ms !== null && took.p95_ms >= slowMs) {
      const usual = `half of its calls take longer than about ${formatEstimate(took.p50_ms ?? 0)}`;
      add(
        hook,
        "slow",
        `${hook} is slow at ${event}: ${usual}, one in twenty longer than about ${formatEstimate(took.p95_ms)}`,
      );
    }
  }
  for (const hook of known) {
    const called = calls.get(hook.name);
    if (called === undefined) {
      if (hook.calls === 0) add(hook.name, "never_fired", neverFired(hook, period));
    } else if (!hook.isEnforced) add(hook.name, "not_enforced", notEnforced(hook, called, period));
    else if (hook.mayDecide && called.total >= fewCalls && called.decisions.passed === called.total)
      add(
        hook.name,
        "always_passes",
        `${hook.name} let all ${formatCount(called.total)} calls pass ${period}`,
      );
  }
  return findings;
}

interface CalledHook {
  readonly hook: string;
  total: number;
  decisions: Readonly<Record<string, number>>;
}

/** The calls of each hook at all of its events. */
function addUpByHook(hooks: DecisionInsights["hooks"]): ReadonlyMap<string, CalledHook> {
  const sums = new Map<string, CalledHook>();
  for (const { hook, calls, decisions } of hooks) {
    const sum = sums.get(hook) ?? { hook, total: 0, decisions: {} };
    sums.set(hook, sum);
    sum.total += calls;
    sum.decisions = addDecisions([sum.decisions, decisions]);
  }
  return sums;
}

function neverFired({ name, unmatched = 0 }: KnownHook, period: string): string {
  const why = unmatched === 0 ? "" : `: its matcher matched none of ${count(unmatched, "call")}`;
  return `${name} was never called ${period}${why}`;
}

/** "in the last 7 days guard would have blocked 12 of 4,310 calls", and what to do about it. */
function notEnforced(
  { name, notEnforcedCalls, notEnforcedFailures, toEnforce }: KnownHook,
  { total, decisions }: CalledHook,
  period: string,
): string {
  const calls = notEnforcedCalls ?? total;
  if (calls === 0) return `${name} is not enforced, and has not been called since. ${toEnforce}`;
  const would = (Object.keys(WOULD_HAVE) as WouldHave[]).flatMap((outcome) => {
    const times = decisions[outcome] ?? 0;
    return times === 0 ? [] : `${WOULD_HAVE[outcome].replace("would have ", "")} ${formatCount(times)}`;
  });
  const failed = notEnforcedFailures ?? decisions.failed ?? 0;
  if (would.length === 0 && failed === calls)
    return `${name} is not enforced, and failed in ${calls === 1 ? "its only call" : `all ${formatCount(calls)} calls`} ${period}. ${toEnforce}`;
  const did = would.length === 0 ? "done nothing in" : `${would.join(" and ")} of`;
  const alsoFailed = failed === 0 ? "" : `, and it failed in ${formatCount(failed)} of them`;
  return `${name} is not enforced: ${period} it would have ${did} ${count(calls, "call")}${alsoFailed}. ${toEnforce}`;
}

function share(part: number, whole: number): string {
  return `${formatCount(part)} of ${count(whole, "call")}`;
}

function count(number: number, noun: string): string {
  return `${formatCount(number)} ${noun}${number === 1 ? "" : "s"}`;
}
