import { PatternBudget } from "@tenterhook/engine/internal";
import type { CataloguedHook } from "@tenterhook/file-hooks";
import { matcherOf } from "@tenterhook/file-hooks/discover";
import type { Client } from "../../definition/client.ts";
import { type HookSet, isInForce } from "../match/hook-set.ts";
import { interactiveProgram } from "../match/interactive-program.ts";
import type { Step } from "../translate/steps.ts";
import type { Judged } from "./judge.ts";
import type { Verdict } from "./verdict.ts";

/**
 * Refuses the start of a program that runs what is typed into it, where the client does not show hooks what is typed and a hook guards
 * Shell: what it refuses as a command could be typed instead.
 */
export async function refuseInteractiveStart(
  client: Client,
  set: HookSet,
  steps: readonly Step[],
  judged: Judged,
): Promise<Judged> {
  if (client.unseenInput === undefined || judged.verdict.type === "block" || judged.verdict.type === "stop")
    return judged;
  const final = judged.steps.map(({ step, dispatch }) => ({
    ...step,
    payload: dispatch.payload as Step["payload"],
  }));
  const program = startedProgram(final.length === 0 ? steps : final);
  if (program === undefined) return judged;
  const guards = (await set.active("before_tool")).filter((each) => isInForce(each) && guardsShell(each));
  if (guards.length === 0) return judged;
  const by = guards.map(({ hook }) => hook.name).join(", ");
  const { context, notes } = judged.verdict;
  const verdict: Verdict = { type: "block", reason: reasonFor(client, program, by), by, context, notes };
  return { ...judged, verdict, event: "before_tool" };
}

/** The first program that a call starts and that runs what is typed into it. */
export function startedProgram(steps: readonly Step[]): string | undefined {
  for (const { event, payload } of steps) {
    const { toolName, toolInput } = payload as { toolName?: string; toolInput?: { command?: unknown } };
    const command = toolInput?.command;
    if (event !== "before_tool" || toolName !== "Shell" || typeof command !== "string") continue;
    const program = interactiveProgram(command);
    if (program !== undefined) return program;
  }
  return undefined;
}

function guardsShell({ hook }: CataloguedHook): boolean {
  const tool = hook.matcher?.tool;
  const matcher = tool === undefined ? undefined : matcherOf({ matcher: { tool } });
  return matcher === undefined || matcher.plan("before_tool", "Shell", new PatternBudget()) !== "no";
}

function reasonFor({ name, unseenInput }: Client, program: string, guards: string): string {
  return (
    `this starts ${program}, which runs what is typed into it, and ${name} does not show hooks what is typed (${unseenInput}): ` +
    `${guards} could not check it. Run the command itself, from a script file or with its input from a file or a here-document`
  );
}
