import { describe, expect, test } from "vitest";
import { isHookNameTooLong, isPlainHookName, normalName } from "./descriptor.ts";

describe("a plain hook name", () => {
  test.each([
    "no-force-push",
    "schutz-für-größe",
    "защита",
    "φρουρός",
    "守卫-2",
    "ガード",
    "가드",
    "حارس",
    "शिक्षा-रक्षक",
    "ยาม",
    "ශ්\u200Dරී",
    "می\u200Cخواهم",
    "𝔤uard".normalize("NFKC"),
    "x1",
  ])("may be in any script: %s", (name) => expect(isPlainHookName(normalName(name))).toBe(true));

  test.each([
    "",
    "My Hook",
    "Guard",
    "ΦΡΟΥΡΌΣ",
    "a_b",
    "a.b",
    "a/b",
    "gu\u200Bard",
    "gu\u200Dard",
    "gu\u2060ard",
    "\u202Eguard",
    "gu\u00ADard",
    "\u3164",
    "a\nb",
    "guard\u0000",
    "guard\uFE0F",
    "😀",
  ])("has nothing else in it: %j", (name) => expect(isPlainHookName(normalName(name))).toBe(false));
});

test("names in other forms of the same characters are one name, and those that only look alike are not", () => {
  for (const name of ["ｇｕａｒｄ", "𝓰𝓾𝓪𝓻𝓭", "ⓖⓤⓐⓡⓓ"]) expect(normalName(name)).toBe("guard");
  expect(normalName("e\u0301")).toBe(normalName("\u00e9"));
  expect(normalName("gu\u0430rd")).not.toBe("guard");
});

test("the length of a name is counted in characters", () => {
  expect([64, 65].map((count) => isHookNameTooLong("守".repeat(count)))).toEqual([false, true]);
  expect([64, 65].map((count) => isHookNameTooLong("𐐨".repeat(count)))).toEqual([false, true]);
});
