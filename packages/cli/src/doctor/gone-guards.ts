import { FileHooks } from "@tenterhook/file-hooks";
import { goneSentence } from "../manage/gone-sentence.ts";
import type { StepResult } from "./finding.ts";

/** Reports guards of the user that are known and no longer exist. */
export async function checkGoneGuards(
  env: Readonly<Record<string, string | undefined>>,
): Promise<StepResult> {
  const { hooks } = await new FileHooks({ env }).catalogue();
  return {
    findings: hooks.flatMap(({ hook, gone }) =>
      // What is broken is reported with the hook files.
      gone?.command === undefined
        ? []
        : [{ problem: goneSentence(hook, gone), fix: `Restore it, or run: ${gone.command}` }],
    ),
  };
}
