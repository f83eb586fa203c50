import type { Context, EventName, MatchedEffect } from "@tenterhook/engine";
import { effectsOfCall, loadEffects } from "@tenterhook/engine/internal";
import { eventRow, type HookFile } from "@tenterhook/protocol";
import { listMatchers } from "@tenterhook/protocol/internal";

export type CommandEffect = MatchedEffect["effect"];

/** What a call does, for a hook whose script reads that: its matcher is about effects, or its metadata asks for them. */
export async function effectsFor(
  hook: HookFile,
  context: Context<EventName> | undefined,
): Promise<readonly CommandEffect[] | undefined> {
  if (context === undefined || !eventRow(context.event).tool) return undefined;
  const isAbout = listMatchers(hook)?.some(({ effect }) => effect !== undefined) === true;
  if (!isAbout && hook.metadata.effects !== true) return undefined;
  await loadEffects();
  return effectsOfCall(context, context.payload).effects;
}

/** A script need not read more of a line that does so much. */
const MAX_EFFECTS = 100;

/** Effects as scripts read them. Those that are left out are one that cannot be read, so that a script that looks for that notices. */
export function writtenEffects(effects: readonly CommandEffect[]): readonly object[] {
  const more = effects.length - MAX_EFFECTS;
  if (more <= 0) return effects.map(writtenEffect);
  const rest = { effect: "unreadable", targets: [], command: "", where: "here", elevated: false };
  const reason = `${more + 1} more effects are left out`;
  return [...effects.slice(0, MAX_EFFECTS - 1).map(writtenEffect), { ...rest, reason }];
}

export function writtenEffect({ name, targets, command, where, isElevated, reason }: CommandEffect): object {
  const written = targets.map((target) =>
    target.type === "path"
      ? { path: target.path, resolved: target.resolved, known: target.known }
      : { [target.type]: target.name, known: target.known },
  );
  return {
    effect: name,
    targets: written,
    command,
    where,
    elevated: isElevated,
    ...(reason !== undefined && { reason }),
  };
}
