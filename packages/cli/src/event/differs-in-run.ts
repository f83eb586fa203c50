import type { EventName, TraceEntry } from "@tenterhook/engine";
import { type CataloguedHook, FileHooks } from "@tenterhook/file-hooks";
import { TrustChecker } from "@tenterhook/file-hooks/trust";
import { type TrustEffect, trustEffect } from "../hook-state.ts";

/** A hook that `try` has run, but that a real run would not call as it is now. */
export interface DifferentInRun extends TrustEffect {
  readonly hook: string;
  readonly source: string;
  /** Whether a real run would call the user's own hook of that name in its place. */
  readonly isReplaced: boolean;
}

/** Finds the hooks of a trace that a real run would not call, because they are not trusted as they are now. */
export async function differsInRun(
  event: EventName,
  { cwd, tried, entries }: { cwd: string; tried: FileHooks; entries: readonly Readonly<TraceEntry>[] },
): Promise<readonly DifferentInRun[]> {
  const ran = new Set(entries.filter(({ verdict }) => verdict !== "unmatched").map(({ source }) => source));
  const checker = new TrustChecker(tried.trust);
  const { hooks } = await tried.catalogue(event);
  const untrusted = hooks.flatMap((each) => {
    const effect = ran.has(each.file) ? trustEffect(each, event, checker) : undefined;
    return effect === undefined ? [] : [{ each, effect }];
  });
  if (untrusted.length === 0) return [];
  const overridden = new Set(
    hooks.filter(({ inactive }) => inactive === "overridden").map(({ file }) => file),
  );
  const inRun = (await new FileHooks({ cwd }).catalogue(event)).hooks;
  const isReplaced = ({ hook }: CataloguedHook) =>
    inRun.some(
      ({ hook: own, file, inactive }) =>
        own.name === hook.name && inactive === undefined && overridden.has(file),
    );
  return untrusted.map(({ each, effect }) => ({
    hook: each.hook.name,
    source: each.file,
    ...effect,
    isReplaced: isReplaced(each),
  }));
}
