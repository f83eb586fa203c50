import { eventRow } from "@tenterhook/protocol";
import type { HookPlan } from "./hook-plan.ts";
import { FORBIDDEN, SCRIPT_NAMES } from "./scripts.ts";

/** The placeholder that the author replaces. */
export const BODY_TO_REPLACE = "Describe here what this hook is for and when it refuses.";

/** The HOOK.md of a new hook. */
export function hookMd(plan: HookPlan): string {
  const { name, trigger, tool, pattern, language } = plan;
  const matcher = [
    ...(tool === undefined && pattern === undefined ? [] : ["matcher:"]),
    ...(tool === undefined ? [] : [`  tool: ${quoted(tool)}`]),
    ...(pattern === undefined ? [] : [`  pattern: ${quoted(pattern)}`]),
  ];
  return `---
name: ${name}
description: ${description(plan)}
trigger: ${trigger}
${[...matcher, ...limits(plan)].join("\n")}
---

# ${name}

${BODY_TO_REPLACE} A model may read this page when the hook refuses.

Called: ${eventRow(plan.event).when}. The rule is in \`scripts/${SCRIPT_NAMES[language]}\`, its tests are in \`tests/\`.
`;
}

/** What may refuse must not be passed over because it fails; not every coding agent shows that it did. A stop gate runs tests or a build. */
function limits({ event, rule }: HookPlan): readonly string[] {
  const timeout = event === "before_stop" ? 300_000 : 5_000;
  return [`timeout: ${timeout}`, ...(rule === "observe" ? [] : ["on_error: block"])];
}

function description({ rule, tool = "any tool", event }: HookPlan): string {
  const what = eventRow(event).tool ? `calls of ${tool}` : event;
  switch (rule) {
    case "refuse":
      return quoted(`Refuses ${what} that match its pattern`);
    case "check":
      return quoted(`Refuses ${what} with ${FORBIDDEN} in it`);
    case "observe":
      return quoted(`Observes ${what}`);
  }
}

/** In single quotes YAML leaves the backslashes of a regular expression alone. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
