import { expect, test } from "vitest";
import { shellWord } from "./text.ts";

test.each([
  ["no-force-push", "no-force-push"],
  ["team/no-push", "team/no-push"],
  ["two words", "'two words'"],
  ["it's", `'it'\\''s'`],
  ["$(rm -rf /)", "'$(rm -rf /)'"],
  ["größe", "'größe'"],
  ["", "''"],
])("the name %s is the word %s", (name, word) => expect(shellWord(name)).toBe(word));
