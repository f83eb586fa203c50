import { readFileSync } from "node:fs";
import type { Client } from "@tenterhook/bridges";
import {
  adviseEnforcement,
  type Enforcement,
  findEnforcement,
  noticeAdvice,
} from "@tenterhook/bridges/coverage";
import { FileHooks } from "@tenterhook/file-hooks";
import { findEntryPoint } from "@tenterhook/file-hooks/run";
import { TrustChecker } from "@tenterhook/file-hooks/trust";
import { type EventName, eventRow, type HookFile } from "@tenterhook/protocol";
import { explainUntrusted, trustState } from "../hook-state.ts";
import { count, dim, oneLine, yellow } from "../terminal.ts";

export interface EnforcedHook extends Enforcement {
  readonly name: string;
  readonly file: string;
  /** What to do, unless it is enforced fully. */
  readonly advice?: string;
  /** It refuses, and lets calls pass when it fails. */
  readonly passesOnError?: true;
}

/** How far a client enforces the hooks of this folder. One that is not trusted is not called anywhere. */
export async function readEnforcement(client: Client): Promise<readonly EnforcedHook[]> {
  const source = new FileHooks();
  const { hooks } = await source.catalogue();
  const checker = new TrustChecker(source.trust);
  return hooks
    .filter(({ inactive }) => inactive === undefined)
    .map((each): EnforcedHook => {
      const { hook, folder, file, gone } = each;
      if (gone !== undefined)
        return {
          name: hook.name,
          file,
          how: "not at all",
          why: [gone.command === undefined ? gone.why : `it is gone: ${gone.why}`],
          advice: gone.command === undefined ? "Repair its files." : `Restore it, or run: ${gone.command}`,
        };
      const untrusted = explainUntrusted(hook.name, trustState(each, checker));
      if (untrusted !== undefined) {
        const { why, advice } = untrusted;
        return { name: hook.name, file, how: "not at all", why: [`it ${why}`], advice };
      }
      const enforcement = findEnforcement(client, hook, scriptOf(folder, hook));
      const advice =
        enforcement.how === "fully" ? {} : { advice: adviseEnforcement(client, hook, enforcement) };
      const passes = hook.mode === "sync" && hook.onError !== "block" && hook.events.some(isRefusable);
      return { name: hook.name, file, ...enforcement, ...advice, ...(passes && { passesOnError: true }) };
    });
}

function isRefusable(event: EventName): boolean {
  return eventRow(event).failure.action === "refuse";
}

/** The text of a hook's script, which shows what it may answer. */
export function scriptOf(folder: string, { action }: HookFile): string {
  if (action !== undefined) return "";
  try {
    const entry = findEntryPoint(folder);
    return typeof entry === "string" ? "" : readFileSync(entry.script, "utf8");
  } catch {
    return "";
  }
}

/** `2 hooks are enforced fully, 1 hook partly`, and what is not enforced. */
export function formatEnforcement(hooks: readonly EnforcedHook[]): readonly string[] {
  if (hooks.length === 0) return [];
  const number = (how: Enforcement["how"]) => hooks.filter((each) => each.how === how).length;
  const parts = [
    number("fully") > 0
      ? `${count(number("fully"), "hook")} ${number("fully") === 1 ? "is" : "are"} enforced fully`
      : "",
    number("partly") > 0 ? `${count(number("partly"), "hook")} partly` : "",
    number("not at all") > 0 ? yellow(`${count(number("not at all"), "hook")} not at all`) : "",
  ];
  const reasons = new Set(hooks.filter(({ how }) => how !== "fully").flatMap(({ why }) => why));
  return [
    parts.filter(Boolean).join(", "),
    ...[...reasons].map((reason) => {
      const names = hooks.filter(({ how, why }) => how !== "fully" && why.includes(reason));
      return dim(`  ${formatNames(names)}: ${oneLine(reason)}`);
    }),
  ];
}

/** The hooks that a client does not enforce fully, one line for those with the same reason, and what to do about them. */
export function formatGaps(client: string, hooks: readonly EnforcedHook[]): readonly string[] {
  const gaps = hooks.flatMap(({ name, how, why, advice = "" }) =>
    how === "fully" ? [] : why.map((reason) => ({ name, how, reason, advice, alone: why.length === 1 })),
  );
  return [...new Set(gaps.map(({ how, reason }) => JSON.stringify([how, reason])))].flatMap((key) => {
    const same = gaps.filter(({ how, reason }) => JSON.stringify([how, reason]) === key);
    const first = same.find(({ alone }) => alone) ?? same[0];
    const verb = same.length === 1 ? "is" : "are";
    return [
      `  ${formatNames(same)} ${verb} ${first?.how === "partly" ? "enforced partly" : "not enforced"} in ${client}: ${oneLine(first?.reason ?? "")}`,
      dim(`  → ${oneLine(first?.advice ?? "")}`),
    ];
  });
}

/** The most names that are listed. */
const MAX_NAMES = 4;

function formatNames(hooks: readonly Pick<EnforcedHook, "name">[]): string {
  const names = hooks.map(({ name }) => oneLine(name));
  if (names.length <= MAX_NAMES) return names.join(", ");
  return `${count(names.length, "hook")}, among them ${names[0]},`;
}

/** Where a client's person may not see that a hook failed, for the hooks that let calls pass then. */
export function formatNotices(client: Client, hooks: readonly EnforcedHook[]): readonly string[] {
  const advice = noticeAdvice(client);
  const passing = hooks.filter(({ passesOnError }) => passesOnError);
  return advice === undefined || passing.length === 0
    ? []
    : [dim(`${advice} It is not in: ${formatNames(passing)}`)];
}
