/** The word that a mistyped one most probably stands for, for "did you mean"; `undefined` when none is near. */
export function nearestWord(typed: string, words: readonly string[]): string | undefined {
  const wanted = typed.slice(0, LONGEST).toLowerCase();
  let nearest: string | undefined;
  let nearestDistance = Math.min(3, Math.ceil(wanted.length / 2)) + 1;
  for (const word of words) {
    const candidate = word.toLowerCase();
    // Somebody who typed the beginning of a word meant that word.
    const distance = wanted.length > 1 && candidate.startsWith(wanted) ? 0 : editDistance(wanted, candidate);
    if (distance < nearestDistance) {
      nearest = word;
      nearestDistance = distance;
    }
  }
  return nearest;
}

const LONGEST = 64;

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const substituted = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(substituted, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
