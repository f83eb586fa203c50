import { eventRow } from "@tenterhook/protocol";
import { FORBIDDEN, type HookPlan } from "./hook-plan.ts";
import { SCRIPT_NAMES } from "./scripts.ts";

/** The placeholder that the author replaces. */
export const BODY_TO_REPLACE = "Describe here what this hook is for and when it refuses.";

/** The HOOK.md of a new hook. */
export function hookMd(plan: HookPlan): string {
  const { name, trigger, tool, pattern } = plan;
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

${body(plan)} its tests are in \`tests/\`.
`;
}

function body({ event, language }: HookPlan): string {
  const called = `Called: ${eventRow(event).when}.`;
  if (language === undefined)
    return `${called} Its pattern reads the text of the input, not what it does. For a rule that needs more, write a script, such
as \`scripts/${SCRIPT_NAMES.sh}\`, in the place of \`action\` and \`reason\`;`;
  return `${BODY_TO_REPLACE} A model may read this page when the hook refuses.

${called} The rule is in \`scripts/${SCRIPT_NAMES[language]}\`,`;
}

/** What may refuse must not be passed over because it fails; not every coding agent shows that it did. A stop gate runs tests or a build. */
function limits({ event, rule, language, reason }: HookPlan): readonly string[] {
  if (language === undefined) return ["on_error: block", "action: block", `reason: ${quoted(reason)}`];
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
