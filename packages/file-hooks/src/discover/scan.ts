import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { Scope } from "./locations.ts";
import { signatureOf } from "./signature.ts";

/** A folder with a HOOK.md in it. */
export interface FoundHook {
  readonly scope: Scope;
  readonly folder: string;
  readonly file: string;
  readonly signature: string;
}

/** Lists the hook folders of a place, by name; nothing is read. A place that is not there has none. */
export function scan(scope: Scope, place: string | undefined): readonly FoundHook[] {
  if (place === undefined) return [];
  const found: FoundHook[] = [];
  for (const name of namesIn(place)) {
    const folder = join(place, name);
    const file = join(folder, "HOOK.md");
    const signature = signatureOf(file);
    if (signature !== undefined) found.push({ scope, folder, file, signature });
  }
  return found;
}

function namesIn(place: string): readonly string[] {
  try {
    // By code unit, so that the order does not depend on the machine's language.
    return readdirSync(place).sort((a, b) => (a < b ? -1 : 1));
  } catch {
    return [];
  }
}
