import type { HookPlan, Language } from "./hook-plan.ts";

/** The word that a new hook refuses until somebody puts a rule of their own in its place. */
export const FORBIDDEN = "FORBIDDEN";

/** The file under `scripts/` in each language. */
export const SCRIPT_NAMES: Readonly<Record<Language, string>> = { sh: "run.sh", py: "run.py", js: "run.mjs" };

const PUT_RULE = "Put a rule of your own here.";
const DO_WORK = "Do the work here.";

/** What the author of a new script is to replace. */
export const RULES_TO_REPLACE: readonly string[] = [PUT_RULE, DO_WORK];

/** What a new hook says when it refuses. */
export function refusal({ rule }: HookPlan): string {
  return rule === "refuse" ? "this is not allowed here" : `${FORBIDDEN} must not be in it`;
}

/** A script that works as it is. Everything that comes from outside and stands in code was checked to be plain words. */
export function scriptFor(plan: HookPlan): string {
  return SCRIPTS[plan.language](plan);
}

const SCRIPTS: Readonly<Record<Language, (plan: HookPlan) => string>> = {
  sh: shell,
  py: python,
  js: javascript,
};

function shell(plan: HookPlan): string {
  const rules = {
    refuse: `echo "${refusal(plan)}" >&2
exit 2
`,
    judge: `# ${PUT_RULE}
case "$event" in
*${FORBIDDEN}*)
  echo "${refusal(plan)}" >&2
  exit 2
  ;;
esac
exit 0
`,
    watch: `# ${DO_WORK} What is printed goes to the log.
echo "${plan.name} saw ${plan.event}"
exit 0
`,
  };
  return `#!/usr/bin/env bash
${contract("#", plan)}
event=$(cat)

${rules[plan.rule]}`;
}

function python(plan: HookPlan): string {
  const rules = {
    refuse: `print("${refusal(plan)}", file=sys.stderr)
sys.exit(2)
`,
    judge: `# ${PUT_RULE}
if "${FORBIDDEN}" in json.dumps(event):
    print("${refusal(plan)}", file=sys.stderr)
    sys.exit(2)
`,
    watch: `# ${DO_WORK} What is printed goes to the log.
print("${plan.name} saw", event["event_type"])
`,
  };
  return `#!/usr/bin/env python3
${contract("#", plan)}
import json
import sys

event = json.load(sys.stdin)

${rules[plan.rule]}`;
}

function javascript(plan: HookPlan): string {
  const rules = {
    refuse: `console.error("${refusal(plan)}");
process.exitCode = 2;
`,
    judge: `// ${PUT_RULE}
if (JSON.stringify(event).includes("${FORBIDDEN}")) {
  console.error("${refusal(plan)}");
  process.exitCode = 2;
}
`,
    watch: `// ${DO_WORK} What is printed goes to the log.
console.log("${plan.name} saw", event.event_type);
`,
  };
  return `#!/usr/bin/env node
${contract("//", plan)}
import { readFileSync } from "node:fs";

const event = JSON.parse(readFileSync(0, "utf8"));

${rules[plan.rule]}`;
}

function contract(comment: string, { event }: HookPlan): string {
  return `${comment} Asked at ${event}. The event comes as JSON on standard input.
${comment} Exit 0: no objection. Exit 2: refused, and what is on standard error is the reason.`;
}
