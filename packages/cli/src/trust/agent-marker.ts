import { loadClients } from "@tenterhook/bridges/clients";
import { programAbove } from "./program-above.ts";

/** Agents that no bridge serves, and our own hooks. */
const OTHERS = ["CURSOR_AGENT", "TENTERHOOK_EVENT", "TENTERHOOK_HOOK_DIR", "TENTERHOOK_AGENT"];

/** What shows that an agent or a hook runs this process, if any: a variable, or a parent process. */
export async function agentMarker(
  env: Readonly<Record<string, string | undefined>>,
): Promise<string | undefined> {
  const known = (await loadClients()).map(({ environment }) => environment);
  const markers = [...OTHERS, ...known.flatMap((each) => each.markers)];
  const settings = known.flatMap((each) => each.settings);
  const name = Object.keys(env).find(
    (each) => env[each] && isAmong(markers, each) && !isAmong(settings, each),
  );
  if (name !== undefined) return `${name} is set`;
  const program = programAbove(new Set(known.flatMap((each) => each.programs ?? [])));
  return program === undefined ? undefined : `${program} started this`;
}

/** Whether a variable is listed, itself or by its beginning and `*`. */
function isAmong(names: readonly string[], variable: string): boolean {
  return names.some((name) =>
    name.endsWith("*") ? variable.startsWith(name.slice(0, -1)) : variable === name,
  );
}
