import { existsSync } from "node:fs";
import { projectOfHook, type TrustedHook, TrustStore } from "@tenterhook/file-hooks";
import type { Normalised } from "../normalise/steps.ts";
import type { OpenCall } from "../open-call.ts";
import { mayMatch } from "../plan/may-match.ts";
import { planOf } from "../plan/plan-file.ts";
import { onErrorVerdict } from "./broken.ts";
import { PROCEED, type Verdict } from "./verdict.ts";

/**
 * The verdict when the project that a session began in is not known: it may be any project with trusted hooks. Those that match the call
 * and are not asked decide by their `on_error`: one with `on_error: block` refuses, for the others there is a note.
 */
export function verdictOfUnasked({ location }: OpenCall, normalised: Normalised): Verdict {
  const trust = new TrustStore(location.state);
  const asked = new Set(location.folders.flatMap((folder) => trust.covering(folder)).map(({ hash }) => hash));
  const unasked = trust
    .list()
    .filter(({ hash, folder }) => !asked.has(hash) && existsSync(projectOfHook(folder) ?? folder))
    .filter((each) => mayMatch(planOf([each], isGuard), normalised));
  if (unasked.length === 0) return PROCEED;
  const why = `${location.state} cannot be written to, so the project that this session began in is not known`;
  const event = normalised.steps[0]?.event ?? "on_error";
  const verdict = onErrorVerdict(event, namesOf(unasked.filter(isGuard)), `${why} (run: tenterhook doctor)`);
  if (verdict.type !== "proceed") return verdict;
  const note = `${why}; hooks of it may not have been asked (${namesOf(unasked).join(", ")}). Run: tenterhook doctor`;
  return { ...PROCEED, notes: [note] };
}

function isGuard({ hook }: TrustedHook): boolean {
  return hook.mode === "sync" && hook.onError === "block";
}

function namesOf(hooks: readonly TrustedHook[]): readonly string[] {
  return hooks.map(({ hook, folder }) => `${hook.name} of ${projectOfHook(folder) ?? folder}`);
}
