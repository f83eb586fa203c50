import type { ApprovalRequest, Dispatch, EventName, Trace } from "@tenterhook/engine";
import { snapshot } from "@tenterhook/engine/host";
import type { CataloguedHook } from "@tenterhook/file-hooks";
import { findInexactNumber, findInexactNumbers, shortened } from "@tenterhook/internal";
import type { HookSet } from "../match/match-hooks.ts";
import type { PlannedHook } from "../match/plan-file.ts";
import type { OpenCall } from "../read/read-call.ts";
import type { Input } from "../translate/canonical-call.ts";
import type { Step, Translated } from "../translate/translate.ts";
import { type Additions, type AskedPerson, type CallVerdict, onErrorVerdict } from "./call-verdict.ts";

/** Asks the hooks within the time that the client gives; when that runs out, the hooks' `on_error` decides. */
export function evaluateInTime(
  open: OpenCall,
  set: HookSet,
  translated: Translated,
  active: readonly PlannedHook[],
): Promise<Evaluation> {
  const { native, location, deadlineMs } = open;
  const input = native.values.toolInput as Input | undefined;
  const first = translated.steps[0]?.event ?? "on_error";
  return inTime(
    timeLeft(open),
    (signal) =>
      evaluate(set, translated, {
        signal,
        ...(input !== undefined && { input }),
        text: native.text,
        // A hook that is untrusted, perhaps untrusted, gone or broken is logged once per session.
        note: ({ code, message }) =>
          ["hook_untrusted", "hook_gone", "trust_unknown", "bad_hook_file"].includes(code) &&
          !location.session.isNewNotice(message)
            ? undefined
            : message,
      }),
    () => {
      const why = `the hooks did not answer within ${deadlineMs / 1_000} s`;
      const guards = active.filter((hook) => hook.mustBlock).map(({ name }) => name);
      return { verdict: onErrorVerdict(first, guards, why), event: first, steps: [] };
    },
  );
}

export interface Evaluation {
  readonly verdict: CallVerdict;
  /** The event that decided; the first one when none did. */
  readonly event: EventName;
  readonly steps: readonly EvaluatedStep[];
}

/** One of our events, and how it ended. */
export interface EvaluatedStep {
  /** With a frozen payload: a hook of this process cannot change in place what the next one checks. */
  readonly step: Step;
  /** The same as it was translated from the client's call. */
  readonly original: Step;
  readonly dispatch: Dispatch<EventName>;
  readonly trace: Trace;
}

/** The events of a call with what hooks have changed; as they came, where no hook was asked. */
export function finalSteps(steps: readonly Step[], { steps: evaluated }: Evaluation): readonly Step[] {
  if (evaluated.length === 0) return steps;
  return evaluated.map(({ step, dispatch }) => ({
    ...step,
    payload: dispatch.payload as Step["payload"],
  }));
}

export interface EvaluationOptions {
  readonly signal: AbortSignal;
  /** The native input, which changes are put back into. */
  readonly input?: Input;
  /** The client's payload as it came. */
  readonly text: string;
  /** The notes for failures that decided nothing. */
  readonly note: (error: { readonly code: string; readonly message: string }) => string | undefined;
}

/** Asks the hooks about everything that a native event means. One refusal refuses all of it. */
export async function evaluate(
  set: HookSet,
  { steps, call }: Translated,
  { signal, input, text, note }: EvaluationOptions,
): Promise<Evaluation> {
  const evaluated: EvaluatedStep[] = [];
  const additions: { context: string[]; notes: string[] } = { context: [], notes: [] };
  const questions: AskedPerson[] = [];
  const approve = ({ reason, hook: by, event, payload }: ApprovalRequest) => {
    questions.push({ reason, by, event, payload });
    // The client asks the person, once all hooks have answered.
    return { type: "approve" } as const;
  };
  // A change is printed with all that it does not change.
  const inexact = (changed: unknown) => inexactProblem(changed, text);
  for (const original of steps) {
    const step = { ...original, payload: snapshot(original.payload) };
    const dispatch = await set.hooks.dispatch(step.event, step.payload, {
      approve,
      signal,
      validate: inexact,
    });
    evaluated.push({ step, original, dispatch, trace: dispatch.trace });
    additions.context.push(...dispatch.context);
    for (const failure of dispatch.failures) {
      const text = failure === dispatch.error ? undefined : note(failure);
      if (text !== undefined) additions.notes.push(text);
    }
    const refused = readRefusal(dispatch, steps.length > 1 ? step : undefined, additions);
    if (refused !== undefined) return { verdict: refused, event: step.event, steps: evaluated };
  }
  const event = steps[0]?.event ?? "on_error";
  const verdict = await permitted(set, { call, input, evaluated, additions, inexact });
  const [question] = questions;
  if (question === undefined || verdict.type !== "proceed") return { verdict, event, steps: evaluated };
  const { reason, by } = question;
  return { verdict: { ...verdict, type: "ask", reason, by, questions }, event, steps: evaluated };
}

function readRefusal(
  { action, reason = "blocked, no reason given", hook, error, event }: Dispatch<EventName>,
  part: Step | undefined,
  additions: { readonly context: string[]; readonly notes: string[] },
): CallVerdict | undefined {
  const by = hook === undefined ? {} : { by: hook };
  switch (action) {
    case "go_on":
    case "recover":
      return undefined;
    case "stop":
      return { type: "stop", reason, ...by, ...additions };
    case "release":
      additions.notes.push(
        `the agent stops although its gate could not check it: ${error?.message ?? reason}`,
      );
      return undefined;
    case "record":
    case "raise":
      additions.notes.push(`at ${event}, too late to change anything: ${error?.message ?? reason}`);
      return undefined;
    default:
      return { type: "block", reason: partReason(part, reason), ...by, ...additions };
  }
}

/** Which of several calls a reason is about. */
function partReason(step: Step | undefined, reason: string): string {
  const { toolName, toolInput } = (step?.payload ?? {}) as { toolName?: string; toolInput?: Input };
  const what = toolInput?.file_path ?? toolInput?.command;
  return toolName === undefined || typeof what !== "string" ? reason : `${toolName} ${what}: ${reason}`;
}

interface Permitted {
  readonly call: Translated["call"];
  readonly input: Input | undefined;
  readonly evaluated: readonly EvaluatedStep[];
  readonly additions: Additions;
  readonly inexact: (changed: unknown) => string | undefined;
}

/** The verdict when nothing was refused: the changes, in the client's own names. */
async function permitted(
  set: HookSet,
  { call, input, evaluated, additions, inexact }: Permitted,
): Promise<CallVerdict> {
  const changed = evaluated.filter(({ dispatch, step }) => dispatch.payload !== step.payload);
  if (changed.length === 0) return { type: "proceed", ...additions };
  const hooks = await changingHooks(set, changed);
  const names = [...new Set(hooks.map(({ hook }) => hook.name))];
  const by = names.join(", ");
  const refused = (reason: string): CallVerdict => ({ type: "block", reason, by, ...additions });
  const message = changed.find(({ step }) => step.event === "before_agent");
  if (message !== undefined) return refused(`the hook ${by} changed the prompt, which no client takes back`);
  const result = changed.find(
    ({ step }) => step.event === "after_tool" || step.event === "after_tool_failure",
  );
  if (result !== undefined) {
    const { toolResult } = result.dispatch.payload as { toolResult?: unknown };
    return { type: "proceed", result: { value: toolResult, by }, ...additions };
  }
  const back = call === undefined ? undefined : putBack(call, evaluated, input ?? {});
  if (back === undefined)
    return refused(
      `the hook ${by} changed a part of this call, which can only be taken or refused as a whole`,
    );
  // What the hooks were not shown of the client's input is printed too.
  const problem = inexact({ toolInput: back });
  if (problem !== undefined) return refused(`the hook ${by} changed this call, and ${problem}`);
  const mayApprove = hooks.length > 0 && hooks.every(({ hook }) => hook.metadata.can_approve === true);
  return { type: "proceed", input: back, changedBy: { hooks: names, mayApprove }, ...additions };
}

/** A number of the client's payload that a change would print as another one; `undefined` if there is none. */
function inexactProblem(changed: unknown, text: string): string | undefined {
  const { toolInput, toolResult } = changed as {
    readonly toolInput?: unknown;
    readonly toolResult?: unknown;
  };
  const numbers = findInexactNumbers(text);
  const found = findInexactNumber({ tool_input: toolInput, tool_result: toolResult }, numbers);
  if (found === undefined) return undefined;
  const { path, source } = found;
  return `the number ${shortened(source, 40)} at ${path.slice(1)} would reach the client as another one: change it into text, or leave the call as it is`;
}

function putBack(
  call: NonNullable<Translated["call"]>,
  evaluated: readonly EvaluatedStep[],
  native: Input,
): Input | undefined {
  const tools = evaluated.filter(({ step }) => step.event === "before_tool");
  const isChanged = tools.some(({ dispatch, step }) => dispatch.payload !== step.payload);
  const inputs = tools.map(({ dispatch, step, original }) => {
    const { payload } = dispatch.payload === step.payload ? original : dispatch;
    return (payload as { toolInput: Input }).toolInput;
  });
  if (tools.some((evaluated) => hasUnseenCopy(call, evaluated))) return undefined;
  const back = isChanged ? call.putBack(inputs) : native;
  const delegated = evaluated.find(({ step }) => step.event === "subagent_start");
  const { taskDescription } = (delegated?.dispatch.payload ?? {}) as { taskDescription?: string };
  if (back === undefined || call.delegation === undefined || taskDescription === undefined) return back;
  return taskDescription === call.delegation.task
    ? back
    : { ...back, [call.delegation.taskArgument]: taskDescription };
}

/** Whether an argument that repeats a native one was changed, and a hook was asked that goes by the native one. */
function hasUnseenCopy({ copies = [] }: NonNullable<Translated["call"]>, evaluated: EvaluatedStep): boolean {
  const before = (evaluated.step.payload as { toolInput: Input }).toolInput;
  const after = (evaluated.dispatch.payload as { toolInput: Input }).toolInput;
  if (copies.every((key) => after[key] === before[key] || after[key] === undefined)) return false;
  return evaluated.trace.entries.some(
    ({ mode, isEnforced, verdict, matchedAs }) =>
      mode === "sync" && isEnforced && verdict !== "unmatched" && matchedAs === undefined,
  );
}

/** The hooks that changed something. */
async function changingHooks(
  set: HookSet,
  changed: readonly EvaluatedStep[],
): Promise<readonly CataloguedHook[]> {
  const all = await Promise.all(
    changed.map(async ({ step, trace }) => {
      const active = await set.active(step.event);
      const sources = new Set(
        trace.entries
          .filter(({ changes, isEnforced }) => changes !== undefined && isEnforced)
          .map(({ source }) => source),
      );
      return active.filter(({ file }) => sources.has(file));
    }),
  );
  return all.flat();
}

/** How much of its time a call has left, in milliseconds. */
export function timeLeft({ call: { waitingSince }, deadlineMs }: OpenCall): number {
  const now = performance.now();
  return Math.max(0, deadlineMs - (now - (waitingSince ?? now)));
}

/** The result of the work, or of `late` when the time is up first; the work is then aborted. */
async function inTime<T>(
  leftMs: number,
  work: (signal: AbortSignal) => Promise<T>,
  late: () => T,
): Promise<T> {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const ended = new Promise<T>((resolve) => {
    timer = setTimeout(() => {
      resolve(late());
      controller.abort("the client gives no more time");
    }, leftMs);
  });
  try {
    return await Promise.race([work(controller.signal), ended]);
  } finally {
    clearTimeout(timer);
  }
}
