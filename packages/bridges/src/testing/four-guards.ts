import { BridgeSandbox } from "./bridge-sandbox.ts";

/** Their names; each refuses what contains its name. */
export const FOUR_GUARDS = ["user-block", "user-continue", "project-block", "project-continue"] as const;

/** Four guards: of the user and of the project, where they are trusted, with both kinds of on_error. */
export function fourGuards(): BridgeSandbox {
  const sandbox = new BridgeSandbox();
  for (const name of FOUR_GUARDS) {
    const [scope, onError] = name.split("-");
    const folder = sandbox.hook(name, {
      ...(scope === "project" && { project: sandbox.project }),
      fields: [`on_error: ${onError}`, `matcher: { pattern: ${name} }`],
      script: `echo 'refused by ${name}' >&2; exit 2`,
    });
    if (scope === "project") sandbox.trust(folder);
  }
  return sandbox;
}
