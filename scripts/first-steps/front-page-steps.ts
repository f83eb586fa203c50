import { type PageCommand, readCommands } from "./page-commands.ts";
import { pageProblems } from "./page-problems.ts";
import { runCommands, type Surroundings } from "./run-commands.ts";
import { startService } from "./service.ts";

/** What `tenterhook up` prints when it is ready. */
const SIGN_IN_LINK = /page +(http:\S+)[\s\S]*Ctrl-C/;

/** Commands that other steps run: `.ci/run` the tests, `release:check` the installation of the packages. */
const ELSEWHERE = /^npm (?:ci &&|install)/;

/**
 * Runs the commands of a front page, word for word. `lasting` is the one that runs until Ctrl-C; it is started first, because others need
 * it or install what they need. Returns the problems.
 */
export async function frontPageSteps(
  page: string,
  lasting: RegExp,
  surroundings: Surroundings,
): Promise<readonly string[]> {
  const commands = readCommands(page);
  const first = commands.find(({ text }) => lasting.test(text));
  if (first === undefined) throw new Error(`the front page has no command like ${lasting}`);
  const service = await startService(first.text, SIGN_IN_LINK, surroundings);
  try {
    const link = SIGN_IN_LINK.exec(service.output)?.[1] ?? "";
    const { status } = await fetch(link, { redirect: "manual" });
    const others = commands.filter((command) => command !== first && !ELSEWHERE.test(command.text));
    return [
      ...(status === 303 ? [] : [`the sign-in link of $ ${first.text}\nanswered ${status}`]),
      ...(await pageSteps(others, surroundings)),
    ];
  } finally {
    await service.end();
  }
}

/** Runs commands of a page in one shell. Returns the problems. */
export async function pageSteps(
  commands: readonly PageCommand[],
  surroundings: Surroundings,
): Promise<readonly string[]> {
  const ended = await runCommands(commands, surroundings);
  for (const { text, exitCode } of ended) console.log(`  ${exitCode}  $ ${text.split("\n", 1)[0]}`);
  return pageProblems(commands, ended);
}
