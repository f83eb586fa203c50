import { createHooks } from "@tenterhook/engine";
import { matcherOf } from "@tenterhook/file-hooks";
import { eventRow } from "@tenterhook/protocol";
import type { HookPlan } from "./hook-plan.ts";
import { FORBIDDEN, refusal } from "./scripts.ts";

/** The tests of a new hook: one event that it lets pass and, where it can refuse, one that it refuses. */
export function exampleCases(plan: HookPlan): string {
  const tool =
    plan.tool === undefined
      ? "Shell"
      : examplesOf(plan.tool, TOOLS).find((name) => isAsked(plan, { tool: name }));
  const isFor = (text: string) => plan.pattern !== undefined && isAsked(plan, { text });
  const harmless = HARMLESS.find((text) => !isFor(text));
  const forbidden =
    plan.rule === "judge" ? `echo ${FORBIDDEN}` : examplesOf(plan.pattern ?? "", HARMLESS).find(isFor);
  const canRefuse = plan.rule !== "watch" && forbidden !== undefined && tool !== undefined;
  return [
    "# Run with: tenterhook test",
    ...(harmless === undefined
      ? []
      : aCase("lets a harmless one pass", plan, tool, harmless, ["outcome: allow"])),
    ...(canRefuse
      ? aCase("refuses what it is for", plan, tool, forbidden, [
          "outcome: deny",
          `reason: ${JSON.stringify(refusal(plan))}`,
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

/** The field of an event in which somebody says something. */
function textField({ event }: HookPlan, text: string): readonly string[] {
  const said = JSON.stringify(text);
  switch (event) {
    case "before_agent":
      return [`message: ${said}`];
    case "after_llm":
      return [`text: ${said}`];
    case "subagent_start":
    case "subagent_stop":
      return [`task_description: ${said}`];
    case "before_stop":
      return ["final_message:", "  role: assistant", `  content: ${said}`];
    default:
      return ["context:", `  note: ${said}`];
  }
}

/** Texts that a pattern may match: what is left of each of its alternatives without the syntax, then the given ones. */
function examplesOf(pattern: string, others: readonly string[]): readonly string[] {
  const plain = pattern.split("|").map((part) =>
    part
      .replaceAll(/\\s[+*]?/g, " ")
      .replaceAll(/\.[*+]|\\[bBAz]/g, "")
      .replaceAll(/\\(\W)|[()^$?*+[\]]/g, "$1"),
  );
  return [...plain.filter((text) => text !== ""), ...others];
}

/** Whether a call with this name, or this in its input, is one that the hook is for. */
function isAsked(
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
