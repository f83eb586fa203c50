import { formatFinding, type Locations } from "@tenterhook/file-hooks";
import type { Finding } from "@tenterhook/protocol";
import type { OpenCall } from "../read/open-call.ts";
import { findGuards, updateGuards } from "./guards.ts";
import { type HookSet, mustBlock } from "./hook-set.ts";
import { recordKnownGuards, restoreKnownGuards } from "./known-guards.ts";
import { type Plan, type PlanFinding, planHooks, signaturesFor, storePlan } from "./plan-file.ts";

/** Reads all hooks, and stores the plan and the guards for the next process. */
export async function makePlan({ location }: OpenCall, set: HookSet): Promise<Plan> {
  const { locations, state } = location;
  const restored = await restoreKnownGuards(state, userRoot(locations));
  const signatures = signaturesFor(locations);
  const { active: all, findings, unread } = await set.read();
  const plan: Plan = {
    hooks: planHooks(all, mustBlock),
    findings: [...restored, ...findings].map(planFinding),
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
