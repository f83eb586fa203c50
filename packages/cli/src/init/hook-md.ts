import { eventRow } from "@tenterhook/protocol";
import type { HookPlan } from "./hook-plan.ts";
import { FORBIDDEN, SCRIPT_NAMES } from "./scripts.ts";

/** What the author of a new hook is to replace. */
export const BODY_TO_REPLACE = "Say here what this hook is for and when it objects.";

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

${BODY_TO_REPLACE} A model that meets it may read this page.

Asked: ${eventRow(plan.event).when}. The rule is in \`scripts/${SCRIPT_NAMES[language]}\`, its tests are in \`tests/\`.
`;
}

/** A gate before the stop runs tests or a build, and must not pass because that went wrong. */
function limits({ event }: HookPlan): readonly string[] {
  return event === "before_stop" ? ["timeout: 300000", "on_error: block"] : ["timeout: 5000"];
}

function description({ rule, tool = "any tool", event }: HookPlan): string {
  const what = eventRow(event).tool ? `calls of ${tool}` : event;
  switch (rule) {
    case "refuse":
      return quoted(`Refuses ${what} that match its pattern`);
    case "judge":
      return quoted(`Refuses ${what} with ${FORBIDDEN} in it`);
    case "watch":
      return quoted(`Watches ${what}`);
  }
}

/** In single quotes YAML leaves the backslashes of a regular expression alone. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
