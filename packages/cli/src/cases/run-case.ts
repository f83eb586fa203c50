import { dirname, resolve } from "node:path";
import { createHooks, type EventName, type Payload } from "@tenterhook/engine";
import { matcherOf, runHook } from "@tenterhook/file-hooks";
import { eventRow, fromWire, type HookFile } from "@tenterhook/protocol";
import { dispatchFully } from "../event/dispatch-fully.ts";
import { payloadProblems } from "../event/payload-problems.ts";
import { eventNamed } from "../event/resolve-event.ts";
import { sampleFields } from "../event/sample-fields.ts";
import { differences } from "./differences.ts";
import type { HookCase } from "./hook-case.ts";

/** Where a hook is tested. */
export interface CaseLocation {
  readonly folder: string;
  readonly projectDir: string;
  readonly state: string;
  readonly sessionId: string;
}

export interface CaseResult {
  /** What was not as expected; empty when the case passed. */
  readonly problems: readonly string[];
  readonly durationMs: number | undefined;
  /** What the hook printed besides its answer. */
  readonly log: string | undefined;
  /** What of its answer was understood only by tolerance, or ignored. */
  readonly notes: readonly string[];
}

/** Above a hook's own timeout, so that the hook's is the one that counts. */
const MARGIN_MS = 2_000;

/** Asks one hook, and only that one, about a case's event. Throws a `UsageError` for an event that does not exist. */
export async function runCase(
  hook: HookFile,
  hookCase: HookCase,
  place: CaseLocation,
  signal: AbortSignal,
): Promise<CaseResult> {
  const { event, payload, problems } = caseEvent(hook, hookCase, place);
  if (problems.length > 0) return { problems, durationMs: undefined, log: undefined, notes: [] };
  let log: string | undefined;
  let notes: readonly string[] = [];
  const hooks = createHooks({ report: () => undefined });
  hooks.on(
    event,
    async (context) => {
      const decision = await runHook(hook, event, context.payload as Payload<EventName>, place, {
        onAbort: (listener) => context.onAbort(listener),
        outcome: context.outcome,
      });
      ({ log, notes = [] } = decision);
      return decision.outcome;
    },
    {
      name: hook.name,
      mode: hook.mode,
      always: hook.always,
      timeoutMs: hook.timeoutMs + MARGIN_MS,
      // A failure must show as one, whatever it would mean to the action.
      onError: "continue",
      matcher: matcherOf(hook),
    },
  );
  const { dispatch, entries } = await dispatchFully(hooks, { event, payload }, signal);
  const [entry] = entries;
  const { toolInput } = dispatch.payload as { toolInput?: unknown };
  const happened = { entry, toolInput, additionalContext: dispatch.context.join("\n") };
  return { problems: differences(hookCase.expect, happened), durationMs: entry?.durationMs, log, notes };
}

/** The event of a case, completed: by the hook's trigger, by examples for what must be there, and by where it happens. */
function caseEvent(
  hook: HookFile,
  { event: given, file }: HookCase,
  { projectDir, sessionId }: CaseLocation,
) {
  const { event_type: type, ...fields } = given;
  const event = type === undefined ? (hook.events[0] ?? "before_tool") : eventNamed(String(type));
  const workDir = typeof fields.work_dir === "string" ? resolve(dirname(file), fields.work_dir) : projectDir;
  const payload = fromWire(event, {
    session_id: sessionId,
    timestamp: new Date().toISOString(),
    ...(eventRow(event).tool && { tool_input: {}, tool_use_id: "example" }),
    ...sampleFields(event),
    ...fields,
    work_dir: workDir,
  });
  const isForIt = hook.events.includes(event);
  const problems = isForIt
    ? payloadProblems(event, payload).map((problem) => `this is no ${event} event: ${problem}`)
    : [`the hook is for ${hook.events.join(", ")}, not for ${event}`];
  return { event, payload: payload as Payload<EventName>, problems };
}
