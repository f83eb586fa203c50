import { readFileSync } from "node:fs";
import type { Client } from "@tenterhook/bridges";
import { type Holding, holdingIn } from "@tenterhook/bridges/install";
import { FileHooks, findEntryPoint } from "@tenterhook/file-hooks";
import type { HookFile } from "@tenterhook/protocol";
import { count, dim, oneLine, yellow } from "../terminal.ts";

export interface HeldHook extends Holding {
  readonly name: string;
  readonly file: string;
}

/** How far the hooks of this folder hold in a client. */
export async function holdingsIn(client: Client): Promise<readonly HeldHook[]> {
  const { hooks } = await new FileHooks().catalogue();
  return hooks
    .filter(({ inactive }) => inactive === undefined)
    .map(({ hook, folder, file }) => ({
      name: hook.name,
      file,
      ...holdingIn(client, hook, scriptOf(folder, hook)),
    }));
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
