import type { Context, EventName } from "@tenterhook/engine";
import { effectsOfCall, loadEffects, type MatchedEffect } from "@tenterhook/engine/internal";
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
