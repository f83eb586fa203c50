import { formatEffect } from "@tenterhook/commands";
import { effectFinder, effectsOfCall, loadEffects, matches } from "@tenterhook/engine/internal";
import type { FileHooks } from "@tenterhook/file-hooks";
import { effectPart, matcherOf } from "@tenterhook/file-hooks/discover";
import { writtenEffect } from "@tenterhook/file-hooks/run";
import { eventRow } from "@tenterhook/protocol";
import { listMatchers } from "@tenterhook/protocol/internal";
import { bold, type Cell, dim, print, printable, table, yellow } from "../terminal.ts";
import type { DescribedEvent } from "./described-event.ts";

/** One thing that a call does, and the hooks whose matchers are about it. */
export interface DescribedEffect {
  readonly effect: Parameters<typeof writtenEffect>[0];
  readonly hooks: readonly string[];
}

/** What a tool call does; `undefined` for a tool of which that is not known, and at events without a tool. */
export async function describeEffects(
  fileHooks: FileHooks,
  { event, payload }: DescribedEvent,
): Promise<readonly DescribedEffect[] | undefined> {
  if (!eventRow(event).tool) return undefined;
  await loadEffects();
  const call = effectsOfCall(undefined, payload);
  const { hooks } = await fileHooks.catalogue(event);
  const finders = hooks
    .filter(({ inactive }) => inactive === undefined)
    .flatMap(({ hook }) =>
      (listMatchers(hook) ?? []).flatMap((matcher) => {
        const init = effectPart(matcher);
        const { effect: _, ...rest } = matcher;
        const other = matcherOf({ matcher: rest });
        if (init === undefined || (other !== undefined && !matches(other, event, payload as never)))
          return [];
        return [{ name: hook.name, find: effectFinder(init) }];
      }),
    );
  return call.effects?.map((effect) => {
    const found = finders.filter(({ find }) => find({ ...call, effects: [effect] }) !== undefined);
    return { effect, hooks: [...new Set(found.map(({ name }) => name))] };
  });
}

export function printEffects(effects: readonly DescribedEffect[]): void {
  if (effects.length === 0) {
    print(dim("No effects that rules could be about.\n"));
    return;
  }
  print(bold("Effects"));
  const rows = effects.map(({ effect, hooks }): Cell[] => [
    `  ${effect.name}`,
    printable(formatEffect(effect)),
    hooks.length === 0 ? { text: "no rule", style: dim } : { text: hooks.join(", "), style: yellow },
  ]);
  print(`${table(rows)}\n`);
}

export function effectsData(effects: readonly DescribedEffect[]): readonly object[] {
  return effects.map(({ effect, hooks }) => ({ ...writtenEffect(effect), hooks }));
}
