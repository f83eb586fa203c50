import type { Step } from "../translate/translate.ts";
import { interactiveProgram } from "./interactive-program.ts";

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
