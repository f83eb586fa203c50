import * as nodes from "node:path";
import { expect, test } from "vitest";
import { join } from "./quick-path.ts";

/** Every text of these characters up to a length. */
function texts(longest: number): readonly string[] {
  if (longest === 0) return [""];
  const shorter = texts(longest - 1);
  return [...new Set([...shorter, ...shorter.flatMap((text) => [..."a./"].map((sign) => text + sign))])];
}

test("paths are joined as Node joins them", () => {
  const pairs = texts(4).flatMap((one) => texts(4).map((other) => [one, other]));
  const threes = texts(2).flatMap((one) => pairs.slice(0, 2_000).map((pair) => [one, ...pair]));
  const wrong = [[], ...texts(4).map((one) => [one]), ...pairs, ...threes].filter(
    (parts) => join(...parts) !== nodes.join(...parts),
  );
  expect(wrong).toEqual([]);
});
