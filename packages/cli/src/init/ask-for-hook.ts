import { eventRow } from "@tenterhook/protocol";
import { eventsNamed } from "../event/resolve-event.ts";
import { newHookName } from "../new-hook-name.ts";
import { notify } from "../terminal.ts";
import { Questions } from "../trust/questions.ts";
import { UsageError } from "../usage-error.ts";
import { type HookOptions, planHook } from "./hook-plan.ts";

/** Asks on a terminal for what the options of `init` say. Throws a `UsageError` at the end of the input. */
export async function askForHook<T extends { readonly user: boolean }>(
  named: string | undefined,
  given: T,
): Promise<T & HookOptions> {
  const questions = new Questions(process.stdout);
  /** Asks until the answer can be used; an empty one is the default. */
  const ask = async (
    question: string,
    usual: string,
    check: (answer: string) => unknown,
  ): Promise<string> => {
    for (;;) {
      const answer = await questions.askText(`${question}${usual === "" ? "" : ` [${usual}]`}: `);
      if (answer === undefined) throw new UsageError("the input has ended.", "Nothing was written.");
      try {
        check(answer || usual);
        return answer || usual;
      } catch (error) {
        if (!(error instanceof UsageError)) throw error;
        notify([error.message, error.hint].filter(Boolean).join(" "));
      }
    }
  };
  try {
    const name = named ?? (await ask("Name of the hook", "no-force-push", newHookName));
    const trigger = await ask("Event at which it is called", "before_tool", eventsNamed);
    const options = {
      name,
      trigger,
      tool: undefined,
      pattern: undefined,
      reason: undefined,
      lang: undefined,
    };
    const answers: HookOptions = eventRow(eventsNamed(trigger)[0] ?? "before_tool").tool
      ? await askForMatcher(options, ask)
      : options;
    const user = given.user || (await questions.ask("For all your projects, not just this one?"));
    return { ...given, ...answers, user };
  } finally {
    questions.close();
  }
}

/** At events of tools: what matches, and what it then says. */
async function askForMatcher(
  options: HookOptions,
  ask: (question: string, usual: string, check: (answer: string) => unknown) => Promise<string>,
): Promise<HookOptions> {
  const tool = await ask("Tools, by name or regular expression", "Shell", (answer) =>
    planHook({ ...options, tool: answer }),
  );
  const pattern = await ask(
    "Regular expression for what it refuses (empty: a script decides)",
    "",
    (answer) => planHook({ ...options, pattern: answer }),
  );
  if (pattern === "") return { ...options, tool };
  const matched = { ...options, tool, pattern };
  if (planHook(matched).language !== undefined) return matched;
  const reason = await ask("What the model reads then", planHook(matched).reason, (answer) =>
    planHook({ ...matched, reason: answer }),
  );
  return { ...matched, reason };
}
