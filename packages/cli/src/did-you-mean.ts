import { nearestWord } from "@tenterhook/protocol";

/** `Did you mean X? ` in front of what else is said of a word that is not known; nothing when none is near. */
export function didYouMean(word: string, known: readonly string[]): string {
  const nearest = word === "" ? undefined : nearestWord(word, known);
  return nearest === undefined ? "" : `Did you mean ${nearest}? `;
}
