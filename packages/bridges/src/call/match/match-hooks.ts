import { formatFinding, type Locations } from "@tenterhook/file-hooks";
import { findGuards, mustBlock, recordKnownGuards, updateGuards } from "@tenterhook/file-hooks/discover";
import type { Finding } from "@tenterhook/protocol";
import type { OpenCall } from "../read/read-call.ts";
import type { Translated } from "../translate/translate.ts";
import { HookSet } from "./hook-set.ts";
import {
  type Plan,
  type PlanFinding,
  type PlannedHook,
  type PlannedHooks,
  planHooks,
  signaturesFor,
  storePlan,
} from "./plan-file.ts";

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

/** Reads all hooks, and stores the plan and the guards for the next process. */
export async function makePlan({ location }: OpenCall, set: HookSet): Promise<Plan> {
  const { locations, state } = location;
  const signatures = signaturesFor(locations);
  const { active: all, findings, unread } = await set.read();
  const plan: Plan = {
    hooks: planHooks(all, mustBlock),
    findings: findings.map(planFinding),
  };
  const projects = locations.flatMap(({ project }) => project ?? []);
  const isRecorded = await recordKnownGuards(state, userRoot(locations), all);
  // What is not known to be trusted is not known to be untrusted either: the lines of projects stay as they are.
  const isTrustKnown = set.trustProblem === undefined;
  const isUpdated = unread.has("user")
    ? false
    : isTrustKnown
      ? await updateGuards(state, projects, findGuards(all))
      : await updateGuards(state, [], findGuards(all.filter(({ scope }) => scope === "user")));
  // With a plan, the next process would not write the guards, and not read what could not be read now.
  if (isUpdated && isRecorded && isTrustKnown && unread.size === 0) storePlan(locations, plan, signatures);
  return plan;
}

function planFinding(finding: Finding): PlanFinding {
  return { file: finding.file, text: formatFinding(finding) };
}

/** All folders of a call share the user's hooks. */
function userRoot([first]: readonly Locations[]): string {
  return first?.userHooks ?? "";
}
