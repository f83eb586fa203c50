import { type CataloguedHook, FileHooks } from "@tenterhook/file-hooks";
import { TrustChecker } from "@tenterhook/file-hooks/trust";
import { typedCommand } from "@tenterhook/internal";
import { defineCommand, EXIT } from "../command.ts";
import { trustState } from "../hook-state.ts";
import { count, notify, print, printJson } from "../terminal.ts";

interface DescribedHook {
  readonly name: string;
  readonly description: string;
  readonly trigger: string;
  /** The file with the details. */
  readonly location: string;
}

export const prompt = defineCommand({
  usage: "prompt",
  about:
    "Prints the active hooks as a block for a model's instructions: what each is for, and where to read more. " +
    "Project hooks are included only if they are trusted: an unreviewed description must not reach a model.",
  options: {},
  examples: [{ command: "tenterhook prompt >> AGENTS.md", means: "describe the rules to an agent" }],
  async run({ json }) {
    const fileHooks = new FileHooks();
    const { hooks } = await fileHooks.catalogue();
    const checker = new TrustChecker(fileHooks.trust);
    const active = hooks.filter(({ inactive, gone }) => inactive === undefined && gone === undefined);
    const trusted = active.filter((each) => ["user", "trusted"].includes(trustState(each, checker)));
    const described = trusted.map(describe);
    const block = asBlock(described);
    if (json) printJson({ hooks: described, prompt: block });
    else print(block);
    const left = active.length - trusted.length;
    if (left > 0)
      notify(`${count(left, "project hook")} left out, untrusted or changed; run: ${typedCommand()} trust`);
    return EXIT.ok;
  },
});

function describe({ hook, file }: CataloguedHook): DescribedHook {
  return { name: hook.name, description: hook.description, trigger: hook.events.join(", "), location: file };
}

function asBlock(hooks: readonly DescribedHook[]): string {
  const lines = hooks.flatMap((hook) => [
    "  <hook>",
    ...Object.entries(hook).map(([tag, text]: [string, string]) => `    <${tag}>${escaped(text)}</${tag}>`),
    "  </hook>",
  ]);
  return ["<available_hooks>", ...lines, "</available_hooks>"].join("\n");
}

/** A description must not be able to close its element or to open another. */
function escaped(text: string): string {
  return text.trim().replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
