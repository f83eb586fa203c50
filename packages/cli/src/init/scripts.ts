import { FORBIDDEN, type HookPlan, type Language } from "./hook-plan.ts";

/** The file under `scripts/` in each language. */
export const SCRIPT_NAMES: Readonly<Record<Language, string>> = { sh: "run.sh", py: "run.py", js: "run.mjs" };

const PUT_RULE = "Replace this with your own rule.";
const DO_WORK = "Add your own code here.";

/** The placeholders that the author replaces. */
export const RULES_TO_REPLACE: readonly string[] = [PUT_RULE, DO_WORK];

/** A working script. All values that are inserted into code were checked before. */
export function scriptFor(plan: HookPlan, language: Language): string {
  return SCRIPTS[language](plan);
}

const SCRIPTS: Readonly<Record<Language, (plan: HookPlan) => string>> = {
  sh: shell,
  py: python,
  js: javascript,
};

function shell(plan: HookPlan): string {
  const rules = {
    refuse: `echo "${plan.reason}" >&2
exit 2
`,
    check: `# ${PUT_RULE}
case "$event" in
*${FORBIDDEN}*)
  echo "${plan.reason}" >&2
  exit 2
  ;;
esac
exit 0
`,
    observe: `# ${DO_WORK} Output is logged.
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
    refuse: `print("${plan.reason}", file=sys.stderr)
sys.exit(2)
`,
    check: `# ${PUT_RULE}
if "${FORBIDDEN}" in json.dumps(event):
    print("${plan.reason}", file=sys.stderr)
    sys.exit(2)
`,
    observe: `# ${DO_WORK} Output is logged.
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
    refuse: `console.error("${plan.reason}");
process.exitCode = 2;
`,
    check: `// ${PUT_RULE}
if (JSON.stringify(event).includes("${FORBIDDEN}")) {
  console.error("${plan.reason}");
  process.exitCode = 2;
}
`,
    observe: `// ${DO_WORK} Output is logged.
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
  return `${comment} Called at ${event}, with the event as JSON on standard input.
${comment} Exit 0: no objection. Exit 2: refused; standard error is the reason.`;
}
