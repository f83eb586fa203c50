import { expect, test } from "vitest";
import { MostUsed, OTHER } from "./most-used.ts";

function watched(most: number) {
  const removed: string[] = [];
  return { names: new MostUsed(most, (name) => void removed.push(name)), removed };
}

test("the first names are counted as they are, further ones together", () => {
  const { names, removed } = watched(2);
  expect([names.choose("a", 5), names.choose("b", 5), names.choose("c", 5), names.choose("a", 1)]).toEqual([
    "a",
    "b",
    OTHER,
    "a",
  ]);
  expect(removed).toEqual([]);
});

test("a name that is used more than twice as often takes the place of the least used", () => {
  const { names, removed } = watched(2);
  names.choose("a", 10);
  names.choose("b", 3);
  expect([names.choose("c", 3), names.choose("c", 3), names.choose("c", 1)]).toEqual([OTHER, OTHER, "c"]);
  expect(removed).toEqual(["b"]);
  expect(names.choose("b", 1)).toBe(OTHER);
});

test("two names that are used equally often do not take turns", () => {
  const { names, removed } = watched(1);
  const chosen = Array.from({ length: 1_000 }, (_, index) => names.choose(index % 2 === 0 ? "a" : "b", 1));
  expect(new Set(chosen.filter((_, index) => index % 2 === 0))).toEqual(new Set(["a"]));
  expect(removed).toEqual([]);
});

test("a frequent name is found among any number of rare ones", () => {
  const { names } = watched(10);
  for (let index = 0; index < 10; index++) names.choose(`first ${index}`, 50);
  let chosen = "";
  for (let index = 0; index < 100_000; index++) {
    names.choose(`rare ${index}`, 1);
    if (index % 3 === 0) chosen = names.choose("frequent", 1);
  }
  expect(chosen).toBe("frequent");
});
