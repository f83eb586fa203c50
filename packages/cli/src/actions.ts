import { nearestWord } from "@tenterhook/protocol";
import { UsageError } from "./usage-error.ts";

/** What a verb can be told to do, by the word for it, with what it needs to be told beside. */
export type Actions<Run> = Readonly<Record<string, { readonly needs: readonly string[]; readonly run: Run }>>;

/** Reads the action out of a verb's words. Throws a `UsageError` that says how it is written. */
export function chooseAction<Run>(
  verb: string,
  actions: Actions<Run>,
  [name = "list", ...words]: readonly string[],
): { readonly run: Run; readonly words: readonly string[] } {
  const action = Object.hasOwn(actions, name) ? actions[name] : undefined;
  const known = Object.keys(actions);
  if (action === undefined) {
    const nearest = nearestWord(name, known);
    throw new UsageError(
      `"${name}" is nothing that it can do.`,
      nearest === undefined ? `It can ${known.join(", ")}.` : `Did you mean ${nearest}?`,
    );
  }
  if (words.length === action.needs.length) return { run: action.run, words };
  const written = ["tenterhook", verb, name, ...action.needs].join(" ");
  throw new UsageError(
    words.length < action.needs.length
      ? "something is missing."
      : `"${words[action.needs.length]}" is one word too many.`,
    `Write: ${written}`,
  );
}
