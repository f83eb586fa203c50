import { EVENT_NAMES, eventRow } from "@tenterhook/protocol";
import { EVERYWHERE } from "../usage.ts";
import type { ListedVerb } from "../verb.ts";

/** What can follow a verb. */
export interface VerbCompletion {
  readonly name: string;
  readonly summary: string;
  readonly options: readonly { readonly name: string; readonly about: string }[];
  /** The words that it takes first, where they are known. */
  readonly words: readonly string[];
}

const EVENTS = EVENT_NAMES.filter((event) => eventRow(event).layer === "agent");

/** Words of verbs whose usage does not list them as `a|b|c`. */
const WORDS: Readonly<Record<string, readonly string[]>> = {
  describe: EVENTS,
  explain: EVENTS,
  try: EVENTS,
};

/** What the verbs say of themselves, for a shell. */
export async function completionsOf(
  verbs: Readonly<Record<string, ListedVerb>>,
): Promise<readonly VerbCompletion[]> {
  return Promise.all(
    Object.entries(verbs).map(async ([name, { summary, load }]) => {
      const { options, usage } = await load();
      const described = Object.entries({ ...options, ...EVERYWHERE });
      return {
        name,
        summary,
        options: described.map(([option, { about }]) => ({ name: option, about })),
        words: WORDS[name] ?? wordsOf(usage),
      };
    }),
  );
}

/** The words before each `|` of `runs [list | show ID | stop ID [--reason R]]` and of `completion bash|zsh|fish`. */
function wordsOf(usage: string): readonly string[] {
  const outer = usage.replaceAll(/(?<=\[[^\]]*)\[[^[\]]*\]/g, "");
  const first = /^\S+ (?:\[([a-z][^[\]]*)|([a-z|]+))/.exec(outer);
  const choices = (first?.[1] ?? first?.[2] ?? "")
    .split("|")
    .map((choice) => choice.trim().split(" ")[0] ?? "");
  return choices.length > 1 ? choices.filter((word) => /^[a-z-]+$/.test(word)) : [];
}
