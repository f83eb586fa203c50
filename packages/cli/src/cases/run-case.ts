import { dirname, resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { createHooks, type EventName, type Payload, type TraceEntry } from "@tenterhook/engine";
import { matcherOf } from "@tenterhook/file-hooks/discover";
import { runHook } from "@tenterhook/file-hooks/run";
import { eventRow, type HookFile } from "@tenterhook/protocol";
import { fromWire } from "@tenterhook/protocol/internal";
import { sampleFields } from "../event/described-event.ts";
import { dispatchFully } from "../event/dispatch-fully.ts";
import { payloadProblems } from "../event/payload-problems.ts";
import { eventNamed } from "../event/resolve-event.ts";
import { withCanonicalTool } from "../event/tool-alias.ts";
import type { CaseOutcome, Expectation, HookCase } from "./case-file.ts";

/** Where a case runs. */
export interface CaseLocation {
  readonly folder: string;
  readonly projectDir: string;
  readonly state: string;
  readonly sessionId: string;
}

export interface CaseResult {
  /** The differences from the expectation; empty when the case passed. */
  readonly problems: readonly string[];
  readonly durationMs: number | undefined;
  /** The output of the hook besides its answer. */
  readonly log: string | undefined;
  /** Parts of the answer that were tolerated or ignored. */
  readonly notes: readonly string[];
}

/** Added to the hook's timeout, so that the hook's own timeout applies first. */
const MARGIN_MS = 2_000;

/** Calls one hook with the event of a case. Throws a `UsageError` for an unknown event. */
export async function runCase(
  hook: HookFile,
  hookCase: HookCase,
  location: CaseLocation,
  signal: AbortSignal,
): Promise<CaseResult> {
  const { event, payload, problems, notices } = await caseEvent(hook, hookCase, location);
  if (problems.length > 0) return { problems, durationMs: undefined, log: undefined, notes: notices };
  let log: string | undefined;
  let notes: readonly string[] = [];
  const hooks = createHooks({ report: () => undefined });
  hooks.on(
    event,
    async (context) => {
      const result = await runHook(hook, event, context.payload as Payload<EventName>, location, {
        context,
      });
      ({ log, notes = [] } = result);
      return result.outcome;
    },
    {
      name: hook.name,
      source: location.folder,
      mode: hook.mode,
      always: hook.always,
      timeoutMs: hook.timeoutMs + MARGIN_MS,
      // A failure must be visible as such, whatever on_error says.
      onError: "continue",
      matcher: matcherOf(hook),
    },
  );
  const { dispatch, entries } = await dispatchFully(hooks, { event, payload }, signal);
  const [entry] = entries;
  const { toolInput } = dispatch.payload as { toolInput?: unknown };
  const actual = { entry, toolInput, additionalContext: dispatch.context.join("\n") };
  return {
    problems: differences(hookCase.expect, actual),
    durationMs: entry?.durationMs,
    log,
    notes: [...notices, ...notes],
  };
}

/** The event of a case, completed by the hook's trigger, sample values of required fields, and the location. */
async function caseEvent(
  hook: HookFile,
  { event: given, file }: HookCase,
  { projectDir, sessionId }: CaseLocation,
) {
  const { event_type: type, ...fields } = given;
  const event = type === undefined ? (hook.events[0] ?? "before_tool") : eventNamed(String(type));
  const workDir = typeof fields.work_dir === "string" ? resolve(dirname(file), fields.work_dir) : projectDir;
  const notices: string[] = [];
  const translated = await withCanonicalTool(fields, workDir, (notice) => notices.push(notice));
  const payload = fromWire(event, {
    session_id: sessionId,
    timestamp: new Date().toISOString(),
    ...(eventRow(event).tool && { tool_input: {}, tool_use_id: "example" }),
    ...sampleFields(event),
    ...translated,
    work_dir: workDir,
  });
  const isOfHook = hook.events.includes(event);
  const problems = isOfHook
    ? payloadProblems(event, payload).map((problem) => `not a valid ${event} event: ${problem}`)
    : [`the hook is for ${hook.events.join(", ")}, not for ${event}`];
  return { event, payload: payload as Payload<EventName>, problems, notices };
}

/** The actual result of a case. */
interface ActualResult {
  /** The trace entry of the hook; absent when its matcher did not match. */
  readonly entry: Readonly<TraceEntry> | undefined;
  readonly toolInput: unknown;
  readonly additionalContext: string;
}

/** The differences from the expectation, as sentences. */
function differences(
  expected: Expectation,
  { entry, toolInput, additionalContext }: ActualResult,
): readonly string[] {
  const problems: string[] = [];
  const outcome = readOutcome(entry);
  const reason = entry?.reason ?? "";
  if (outcome !== expected.outcome) {
    problems.push(`expected the outcome ${expected.outcome}, got ${outcome}${because(entry)}`);
  }
  if (expected.reason !== undefined && !reason.includes(expected.reason)) {
    problems.push(`expected a reason with ${quoted(expected.reason)}, got ${quoted(reason)}`);
  }
  if (expected.toolInput !== undefined && !isDeepStrictEqual(toolInput, expected.toolInput)) {
    problems.push(`expected the tool input ${quoted(expected.toolInput)}, got ${quoted(toolInput)}`);
  }
  const { additionalContext: added } = expected;
  if (added !== undefined && !additionalContext.includes(added)) {
    problems.push(`expected additional context with ${quoted(added)}, got ${quoted(additionalContext)}`);
  }
  return problems;
}

function readOutcome(entry: Readonly<TraceEntry> | undefined): CaseOutcome {
  switch (entry?.verdict) {
    case "block":
      return "deny";
    case "ask":
    case "stop":
    case "failed":
      return entry.verdict;
    default:
      return "allow";
  }
}

function because(entry: Readonly<TraceEntry> | undefined): string {
  if (entry === undefined || entry.verdict === "unmatched") return ", because its matcher did not match";
  return entry.reason === undefined ? "" : `: ${entry.reason}`;
}

function quoted(value: unknown): string {
  return JSON.stringify(value) ?? "nothing";
}
