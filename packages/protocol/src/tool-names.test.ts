import { expect, test } from "vitest";
import { CANONICAL_TOOLS, canonicalTools, isCanonicalTool, nativeNames } from "./tool-names.ts";

test("a native name means its canonical tools, and each of them has it", () => {
  expect(canonicalTools("Bash")).toEqual(["Shell"]);
  expect(canonicalTools("editor")).toEqual(["WriteFile", "EditFile"]);
  for (const tool of CANONICAL_TOOLS)
    for (const name of nativeNames(tool)) expect(canonicalTools(name)).toContain(tool);
});

test("no native name is a canonical name, whose meaning would then depend on the agent", () => {
  expect(CANONICAL_TOOLS.flatMap(nativeNames).filter(isCanonicalTool)).toEqual([]);
  expect(CANONICAL_TOOLS.flatMap(canonicalTools)).toEqual([]);
});

test.each(["constructor", "__proto__", "", "deploy", "mcp__box__Bash", "BASH"])(
  "%j is neither a canonical nor a native name",
  (name) => {
    expect([isCanonicalTool(name), nativeNames(name), canonicalTools(name)]).toEqual([false, [], []]);
  },
);
