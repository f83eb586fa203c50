import { expect, test } from "vitest";
import { threadTimeMs } from "../../../../engine/src/match/thread-time.ts";
import { occurrences } from "./write-file.ts";

/** All texts over two letters, up to a length. */
function texts(length: number): string[] {
  if (length === 0) return [""];
  const shorter = texts(length - 1);
  return [
    ...shorter,
    ...shorter.filter((text) => text.length === length - 1).flatMap((text) => [`${text}a`, `${text}b`]),
  ];
}

test("the search finds what comparing at every position finds, in all short texts", () => {
  for (const text of texts(8)) {
    for (const sought of texts(4).slice(1)) {
      const all = [...text].flatMap((_, start) => (text.startsWith(sought, start) ? [start] : []));
      const { count, starts } = occurrences(text, sought);
      expect(count).toBe(all.length);
      expect(text.split(sought).length - 1).toBe(starts.length);
      expect(
        starts.every(
          (start, index) => all.includes(start) && start >= (starts[index - 1] ?? -9) + sought.length,
        ),
      ).toBe(true);
    }
  }
});

test("a text for which indexOf would need hours is found quickly", () => {
  const text = "a".repeat(4_000_000);
  const half = "a".repeat(100_000);
  const before = threadTimeMs();
  expect(occurrences(text, `${half}b${half}`).count).toBe(0);
  expect(threadTimeMs() - before).toBeLessThan(5_000);
});
