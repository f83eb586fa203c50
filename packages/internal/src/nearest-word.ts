/** No word that is worth a guess is longer. */
const LONGEST = 64;

/** The word that a mistyped one most probably means, for "did you mean"; `undefined` when none is near. */
export function nearestWord<W extends string>(typed: string, words: readonly W[]): W | undefined {
  const wanted = plain(typed);
  let nearest: W | undefined;
  let nearestDistance = Math.min(3, Math.ceil(wanted.length / 2)) + 1;
  for (const word of words) {
    const candidate = plain(word);
    // The beginning of a word means that word.
    const isBeginning = wanted.length > 1 && candidate.startsWith(wanted);
    // Of two words that are equally near, the one of the same length: a wrong letter is likelier than a surplus one.
    const surplus = candidate.length === wanted.length ? 0 : 0.5;
    const distance = isBeginning ? 0 : editDistance(wanted, candidate) + surplus;
    if (distance < nearestDistance) {
      nearest = word;
      nearestDistance = distance;
    }
  }
  return nearest;
}

/** The hint of an error about an unknown name: `Did you mean X?`, or the other text when no known name is near. */
export function didYouMean(typed: string, known: readonly string[], otherwise = ""): string {
  const nearest = typed === "" ? undefined : nearestWord(typed, known);
  return nearest === undefined ? otherwise : `Did you mean ${nearest}?`;
}

/** Dashes, underscores and capitals are what people mistype least and write differently most. */
function plain(word: string): string {
  return word
    .slice(0, LONGEST)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, "");
}

/** How many letters must be put in, left out, exchanged or swapped with their neighbour. */
function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const exchanged = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swapped = isSwapped ? (before[j - 2] ?? 0) + 1 : exchanged;
      next.push(Math.min(exchanged, swapped, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    before = row;
    row = next;
  }
  return row[b.length] ?? 0;
}
