import { existsSync } from "node:fs";
import { isGuardFor, readGuards } from "@tenterhook/file-hooks/discover";
import { projectOfHook } from "@tenterhook/file-hooks/run";
import { type TrustedHook, TrustStore } from "@tenterhook/file-hooks/trust";
import { typedCommand } from "@tenterhook/internal";
import { mayDecide } from "@tenterhook/protocol/internal";
import { mayMatch, planHooks } from "../match/plan-file.ts";
import type { OpenCall } from "../read/read-call.ts";
import type { Translated } from "../translate/translate.ts";
import { type CallVerdict, onErrorVerdict, PROCEED } from "./call-verdict.ts";

/**
 * The verdict when the project that a session began in is not known: it may be any project with trusted hooks. Those that match the call
 * and are not asked decide by their `on_error`: one with `on_error: block` refuses, for the others there is a note.
 */
export function decideUnasked({ location }: OpenCall, translated: Translated): CallVerdict {
  const trust = new TrustStore(location.state);
  const asked = new Set(location.folders.flatMap((folder) => trust.covering(folder)).map(({ hash }) => hash));
  const unasked = trust
    .list()
    .filter(({ hash, folder }) => !asked.has(hash) && existsSync(projectOfHook(folder) ?? folder))
    .filter((each) => mayMatch(planHooks([each], isGuard), translated) !== "no");
  if (unasked.length === 0) return PROCEED;
  const why = `${location.state} cannot be written to, so the project that this session began in is not known`;
  const event = translated.steps[0]?.event ?? "on_error";
  const verdict = onErrorVerdict(
    event,
    listNames(unasked.filter(isGuard)),
    `${why} (run: ${typedCommand()} doctor)`,
  );
  if (verdict.type !== "proceed") return verdict;
  const note = `${why}; hooks of it may not have been asked (${listNames(unasked).join(", ")}). Run: ${typedCommand()} doctor`;
  return { ...PROCEED, notes: [note] };
}

/**
 * The verdict when it is not known what is trusted. Hooks that still have a file are asked, and fail; here it is about the guards that were
 * known last and have none: their file may be gone, or may no longer make them guards.
 */
export function decideUnknownTrust(
  { location: { state, folders, isStartUnknown } }: OpenCall,
  { steps }: Translated,
  active: readonly { readonly name: string }[],
  problem: string,
): CallVerdict {
  const events = new Set<string>(steps.map(({ event }) => event));
  const names = new Set(active.map(({ name }) => name));
  const unasked = (readGuards(state) ?? []).filter(
    ({ event, project, name }) =>
      project !== "*" &&
      events.has(event) &&
      !names.has(name) &&
      (isStartUnknown || folders.some((folder) => isGuardFor(project, folder))),
  );
  if (unasked.length === 0) return PROCEED;
  const why = `it is not known what is trusted: ${new TrustStore(state).path} cannot be used (${problem}); restore it, or run ${typedCommand()} trust yourself in a terminal`;
  const shown = unasked.map(({ name, project }) => `${name} of ${project}`);
  return onErrorVerdict(steps[0]?.event ?? "on_error", [...new Set(shown)], why);
}

function isGuard({ hook }: TrustedHook): boolean {
  return mayDecide(hook) && hook.onError === "block";
}

function listNames(hooks: readonly TrustedHook[]): readonly string[] {
  return hooks.map(({ hook, folder }) => `${hook.name} of ${projectOfHook(folder) ?? folder}`);
}
