import { nearestWord } from "@tenterhook/protocol";

/** `Did you mean X? ` for an unknown name; empty when no known name is similar. */
export function didYouMean(name: string, known: readonly string[]): string {
  const nearest = name === "" ? undefined : nearestWord(name, known);
  return nearest === undefined ? "" : `Did you mean ${nearest}? `;
}
