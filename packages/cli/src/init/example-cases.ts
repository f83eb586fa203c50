import { createHooks } from "@tenterhook/engine";
import { matcherOf } from "@tenterhook/file-hooks/discover";
import { eventRow } from "@tenterhook/protocol";
import { FORBIDDEN, type HookPlan } from "./hook-plan.ts";

/** The test cases of a new hook: an event that passes and, if the hook can refuse, one that is refused. */
export function exampleCases(plan: HookPlan): string {
  const tool =
    plan.tool === undefined
      ? "Shell"
      : findExamples(plan.tool, TOOLS).find((name) => matches(plan, { tool: name }));
  const isMatched = (text: string) => plan.pattern !== undefined && matches(plan, { text });
  const harmless = HARMLESS.find((text) => !isMatched(text));
  const forbidden =
    plan.rule === "check" ? `echo ${FORBIDDEN}` : findExamples(plan.pattern ?? "", HARMLESS).find(isMatched);
  const canRefuse = plan.rule !== "observe" && forbidden !== undefined && tool !== undefined;
  return [
    "# Run with: tenterhook test",
    ...(harmless === undefined
      ? []
      : aCase("allows a harmless one", plan, tool, harmless, ["outcome: allow"])),
    ...(canRefuse
      ? aCase("refuses a forbidden one", plan, tool, forbidden, [
          "outcome: deny",
          `reason: ${JSON.stringify(plan.reason)}`,
        ])
      : []),
    "",
  ].join("\n");
}

const HARMLESS = ["ls", "echo hello", "hello", "true"];
const TOOLS = ["Shell", "Bash", "WriteFile", "ReadFile", "Edit"];

function aCase(
  name: string,
  plan: HookPlan,
  tool: string | undefined,
  text: string,
  expect: readonly string[],
): string[] {
  const fields = eventRow(plan.event).tool
    ? [`tool_name: ${JSON.stringify(tool ?? "Shell")}`, "tool_input:", `  command: ${JSON.stringify(text)}`]
    : textField(plan, text);
  return [
    `- name: ${name}`,
    "  event:",
    ...fields.map((line) => `    ${line}`),
    "  expect:",
    ...expect.map((line) => `    ${line}`),
  ];
}

/** The text field of an event. */
function textField({ event }: HookPlan, text: string): readonly string[] {
  const value = JSON.stringify(text);
  switch (event) {
    case "before_agent":
      return [`message: ${value}`];
    case "after_llm":
      return [`text: ${value}`];
    case "subagent_start":
    case "subagent_stop":
      return [`task_description: ${value}`];
    case "before_stop":
      return ["final_message:", "  role: assistant", `  content: ${value}`];
    default:
      return ["context:", `  note: ${value}`];
  }
}

/** Texts that a pattern may match: its alternatives without the syntax, then the given texts. */
function findExamples(pattern: string, others: readonly string[]): readonly string[] {
  const plain = pattern.split("|").map((part) =>
    part
      .replaceAll(/\\s[+*]?/g, " ")
      .replaceAll(/\.[*+]|\\[bBAz]/g, "")
      .replaceAll(/\\(\W)|[()^$?*+[\]]/g, "$1"),
  );
  return [...plain.filter((text) => text !== ""), ...others];
}

/** Whether a call with this tool name, or this text in its input, matches the hook. */
function matches(
  { tool, pattern }: HookPlan,
  example: { readonly tool?: string; readonly text?: string },
): boolean {
  const hooks = createHooks();
  const matcher = {
    ...(example.tool !== undefined && tool !== undefined && { tool }),
    ...(example.text !== undefined && pattern !== undefined && { pattern }),
  };
  hooks.on("before_tool", () => undefined, { matcher: matcherOf({ matcher }) });
  const { hooks: explained } = hooks.explain("before_tool", {
    toolName: example.tool ?? "",
    toolInput: { command: example.text ?? "" },
  });
  return explained.some(({ runs }) => runs);
}
