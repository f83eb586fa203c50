import type { Finding } from "@tenterhook/protocol";
import type { OpenCall } from "../read/open-call.ts";
import type { Translated } from "../translate/translate.ts";
import { HookSet } from "./hook-set.ts";
import { makePlan } from "./make-plan.ts";
import type { Plan, PlannedHook, PlannedHooks } from "./plan-file.ts";

/** A message that is new to the session: a problem of a file, or what a hook printed. */
export interface Report {
  readonly text: string;
  /** The file that has the problem. */
  readonly file?: string;
}

/** The hooks that take part in a call. */
export interface Matched {
  readonly set: HookSet;
  /** All of them, by event. */
  readonly plan: PlannedHooks;
  /** Those of the call's own events. */
  readonly active: readonly PlannedHook[];
  /** Whether the call is left to another entry of the client's configuration, which has decided about it. */
  readonly isTaken: boolean;
  /** Hooks that run add to it. */
  readonly reports: readonly Report[];
}

/**
 * Finds the hooks of a call, by the stored plan if it is valid, and reports problems of their files once in a session. A call with hooks
 * is claimed, so that only one entry of the client's configuration asks them.
 */
export async function matchHooks(
  open: OpenCall,
  translated: Translated,
  stored: Plan | undefined,
): Promise<Matched> {
  const { session, folders } = open.location;
  const reports: Report[] = [];
  const files = new Map<string, string>();
  // A file may get a problem after the plan was made.
  const report = (text: string, finding?: Finding) => {
    if (!session.isNewNotice(text)) return;
    const file = finding?.file ?? files.get(text);
    reports.push(file === undefined ? { text } : { text, file });
  };
  const set = new HookSet({ folders, env: open.call.env, mode: "sync", report });
  const { hooks: plan, findings } = stored ?? (await makePlan(open, set));
  for (const { text, file } of findings) files.set(text, file);
  session.reportOnce(
    findings.map(({ text }) => text),
    report,
  );
  const active = translated.steps.flatMap(({ event }) => plan[event] ?? []);
  const isTaken = active.length > 0 && !claimCall(open, translated);
  return { set, plan, active, isTaken, reports };
}

/** Takes the event for this process; false when another entry of the client's configuration has decided about it. */
function claimCall({ call, native, location: { session } }: OpenCall, { steps }: Translated): boolean {
  const event = steps[0]?.event;
  const { timestamp: _, ...payload } = native.payload;
  const what = event?.includes("_tool")
    ? (["toolUseId", "toolName", "toolInput"] as const).map((name) => native.values[name])
    : [payload];
  return session.claim(JSON.stringify([event, ...what]), call.entry ?? call.client);
}
