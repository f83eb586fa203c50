import { PatternBudget } from "@tenterhook/engine/internal";
import type { CataloguedHook } from "@tenterhook/file-hooks";
import { isInForce, toolMatcherOf } from "@tenterhook/file-hooks/discover";
import type { Client } from "../../definition/client.ts";
import { startedProgram } from "../match/interactive-program.ts";
import type { HookSet } from "../match/match-hooks.ts";
import type { Step } from "../translate/translate.ts";
import type { CallVerdict } from "./call-verdict.ts";
import { type Evaluation, finalSteps } from "./evaluate.ts";

/**
 * Refuses the start of a program that runs what is typed into it, where the client does not show hooks what is typed and a hook guards
 * Shell: what it refuses as a command could be typed instead.
 */
export async function refuseInteractiveStart(
  client: Client,
  set: HookSet,
  steps: readonly Step[],
  evaluation: Evaluation,
): Promise<Evaluation> {
  if (
    client.unseenInput === undefined ||
    evaluation.verdict.type === "block" ||
    evaluation.verdict.type === "stop"
  )
    return evaluation;
  const program = startedProgram(finalSteps(steps, evaluation));
  if (program === undefined) return evaluation;
  const guards = (await set.active("before_tool")).filter((each) => isInForce(each) && guardsShell(each));
  if (guards.length === 0) return evaluation;
  const by = guards.map(({ hook }) => hook.name).join(", ");
  const { context, notes } = evaluation.verdict;
  const verdict: CallVerdict = { type: "block", reason: reasonFor(client, program, by), by, context, notes };
  return { ...evaluation, verdict, event: "before_tool" };
}

function guardsShell({ hook }: CataloguedHook): boolean {
  const matcher = toolMatcherOf(hook);
  return matcher === undefined || matcher.plan("before_tool", "Shell", new PatternBudget()) !== "no";
}

function reasonFor({ name, unseenInput }: Client, program: string, guards: string): string {
  return (
    `this starts ${program}, which runs what is typed into it, and ${name} does not show hooks what is typed (${unseenInput}): ` +
    `${guards} could not check it. Run the command itself, from a script file or with its input from a file or a here-document`
  );
}
