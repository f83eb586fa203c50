import type { PageCommand } from "./page-commands.ts";
import type { CommandEnd } from "./run-commands.ts";

/** Where a page differs from what its commands did: a command that failed, or output that is not what the page shows. */
export function pageProblems(
  commands: readonly PageCommand[],
  ended: readonly CommandEnd[],
): readonly string[] {
  return ended.flatMap(({ text, exitCode, output }, index) => {
    // The page shows the exit code itself.
    const isCodeShown = commands[index + 1]?.text === "echo $?";
    if (exitCode !== 0 && !isCodeShown) return [`$ ${text}\nended with ${exitCode}:\n${output}`];
    const expected = commands[index]?.output;
    if (expected === undefined || comparable(expected) === comparable(output)) return [];
    return [`$ ${text}\nThe page shows:\n${expected}\nIt printed:\n${output}`];
  });
}

/** Output without what differs from run to run and from machine to machine: times, paths, and the widths of columns. */
export function comparable(output: string): string {
  return output
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "TIME")
    .replaceAll(/\b\d+(?:\.\d+)? m?s\b/g, "DURATION")
    .replaceAll(/(?<=run by )\S+/g, "PROGRAM")
    .replaceAll(/\/\S+(?=\/playground\b)/g, "CLONE")
    .replaceAll(/(?<=\S) {2,}/g, " ")
    .replaceAll(/ +$/gm, "")
    .trim();
}
