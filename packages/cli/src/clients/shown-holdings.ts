import { readFileSync } from "node:fs";
import type { Client } from "@tenterhook/bridges";
import { type Holding, holdingAdvice, holdingIn } from "@tenterhook/bridges/install";
import { FileHooks } from "@tenterhook/file-hooks";
import { findEntryPoint } from "@tenterhook/file-hooks/run";
import { TrustChecker } from "@tenterhook/file-hooks/trust";
import { type EventName, eventRow, type HookFile } from "@tenterhook/protocol";
import { count, dim, oneLine, yellow } from "../terminal.ts";
import { type TrustState, trustState } from "../trust/trust-state.ts";

export interface HeldHook extends Holding {
  readonly name: string;
  readonly file: string;
  /** What to do, unless it is enforced fully. */
  readonly advice?: string;
  /** It refuses, and lets calls pass when it fails. */
  readonly passesOnError?: true;
}

/** How far the hooks of this folder hold in a client. One that is not trusted is not called anywhere. */
export async function holdingsIn(client: Client): Promise<readonly HeldHook[]> {
  const source = new FileHooks();
  const { hooks } = await source.catalogue();
  const checker = new TrustChecker(source.trust);
  return hooks
    .filter(({ inactive }) => inactive === undefined)
    .map((each): HeldHook => {
      const { hook, folder, file, gone } = each;
      if (gone !== undefined)
        return {
          name: hook.name,
          file,
          how: "not at all",
          why: [`it is gone: ${gone.why}`],
          advice: `Restore it, or run: ${gone.command}`,
        };
      const state = trustState(each, checker);
      if (state !== "user" && state !== "trusted")
        return { name: hook.name, file, ...untrusted(hook, state) };
      const holding = holdingIn(client, hook, scriptOf(folder, hook));
      const advice = holding.how === "fully" ? {} : { advice: holdingAdvice(client, hook, holding) };
      const passes = hook.mode === "sync" && hook.onError !== "block" && hook.events.some(isRefusable);
      return { name: hook.name, file, ...holding, ...advice, ...(passes && { passesOnError: true }) };
    });
}

function isRefusable(event: EventName): boolean {
  return eventRow(event).failure.action === "refuse";
}

function untrusted({ name }: HookFile, state: TrustState): Pick<HeldHook, "how" | "why" | "advice"> {
  if (state === "unknown")
    return {
      how: "not at all",
      why: ["it is not known whether it is trusted, so it does not run"],
      advice: "Run: tenterhook doctor",
    };
  const why =
    state === "changed"
      ? "it was changed since it was trusted: it does not run, and what it guarded is refused"
      : "it was never trusted, so it does not run";
  return { how: "not at all", why: [why], advice: `Look at it, then run: tenterhook trust ${name}` };
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

/** `2 hooks hold fully, 1 partly`, and what does not hold. */
export function shownHoldings(held: readonly HeldHook[]): readonly string[] {
  if (held.length === 0) return [];
  const number = (how: Holding["how"]) => held.filter((each) => each.how === how).length;
  const parts = [
    number("fully") > 0
      ? `${count(number("fully"), "hook")} ${number("fully") === 1 ? "holds" : "hold"} fully`
      : "",
    number("partly") > 0 ? `${count(number("partly"), "hook")} partly` : "",
    number("not at all") > 0 ? yellow(`${count(number("not at all"), "hook")} not at all`) : "",
  ];
  return [
    parts.filter(Boolean).join(", "),
    ...held
      .filter(({ how }) => how !== "fully")
      .flatMap(({ name, why }) => why.map((reason) => dim(`  ${oneLine(name)}: ${oneLine(reason)}`))),
  ];
}

/** The hooks that a client does not enforce fully, one line each, and what to do about them. */
export function shownGaps(client: string, held: readonly HeldHook[]): readonly string[] {
  return held
    .filter(({ how }) => how !== "fully")
    .flatMap(({ name, how, why, advice = "" }) => [
      `  ${oneLine(name)} is ${how === "partly" ? "enforced partly" : "not enforced"} in ${client}: ${oneLine(why.join("; "))}`,
      dim(`  → ${oneLine(advice)}`),
    ]);
}
