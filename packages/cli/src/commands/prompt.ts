import { type CataloguedHook, FileHooks, TrustChecker } from "@tenterhook/file-hooks";
import { defineCommand, EXIT } from "../command.ts";
import { count, notify, print, printJson } from "../terminal.ts";
import { trustState } from "../trust/trust-state.ts";

interface DescribedHook {
  readonly name: string;
  readonly description: string;
  readonly trigger: string;
  /** Where the rest is, for when it is needed. */
  readonly location: string;
}

export const prompt = defineCommand({
  usage: "prompt",
  about:
    "Prints the hooks that are in force as a block for a model's instructions: what each is for, and where to read more. " +
    "Project hooks are in it once they are trusted: what nobody has looked at must not talk to a model.",
  options: {},
  arguments: { min: 0, max: 0 },
  examples: [{ command: "tenterhook prompt >> AGENTS.md", means: "tells an agent which rules it will meet" }],
  async run({ json }) {
    const fileHooks = new FileHooks();
    const { hooks } = await fileHooks.catalogue();
    const checker = new TrustChecker(fileHooks.trust);
    const active = hooks.filter(({ inactive }) => inactive === undefined);
    const inForce = active.filter((each) => ["user", "trusted"].includes(trustState(each, checker)));
    const described = inForce.map(describe);
    const block = asBlock(described);
    if (json) printJson({ hooks: described, prompt: block });
    else print(block);
    const left = active.length - inForce.length;
    if (left > 0)
      notify(`${count(left, "project hook")} left out, untrusted or changed; run: tenterhook trust`);
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

/** A description must not be able to end its own element, or to begin another. */
function escaped(text: string): string {
  return text.trim().replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
