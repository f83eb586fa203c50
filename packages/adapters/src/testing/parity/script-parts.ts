import type { ScriptedAnswer } from "./scenario.ts";

/** A call of the scenarios' tool. */
export const shell = (command: string, id = "1") => ({ id, name: "Shell", input: { command } });

/** A call that delegates to an agent. Drivers give it the name and the input that their framework has for it. */
export const delegate = (name: string, id: string) => ({
  id,
  name,
  input: { command: `the task of ${name}` },
});

/** Whether a call of a script delegates: then its name is an agent's, and not that of a tool. */
export const isDelegation = (name: string) => name !== "Shell" && name !== "Pack";

/** A call of the tool that takes a list, which is nested in its input. */
export const pack = (command: string, paths: readonly string[] = ["src"]) => ({
  id: "1",
  name: "Pack",
  input: { command, paths },
});

/** The model calls the tool once, then answers. */
export const oneCall: readonly ScriptedAnswer[] = [{ calls: [shell("ls")] }, { text: "Done." }];

/** The events until the model has called a tool. */
export const firstCall = ["before_agent Hello", "before_step 0", "before_llm", 'after_llm completed ""'];

/** The events of the last step, in which the model answers with a text. */
export const lastStep = (step = 1) => [
  `before_step ${step}`,
  "before_llm",
  'after_llm completed "Done."',
  `after_step ${step} completed`,
  "before_stop no_tool_calls",
  "after_agent completed",
];

/** Something that hooks of one run wait for until those of another one give it. */
export function createSignal() {
  let give: () => void = () => undefined;
  const given = new Promise<void>((resolve) => {
    give = resolve;
  });
  return { given, give };
}
