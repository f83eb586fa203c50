import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type CommandEffect, matchEffects, type PathSetPlace, readToolEffects } from "@tenterhook/commands";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { type Rule, readRules } from "./read-rules.ts";

/** A case in `tests/` of a rule, which `tenterhook test` runs too. */
interface Case {
  readonly event: {
    readonly tool_name: string;
    readonly work_dir: string;
    readonly tool_input: Readonly<Record<string, string>>;
  };
  readonly expect: { readonly outcome: "allow" | "ask" | "deny" };
}

interface ReadCase extends Case {
  readonly effects: readonly CommandEffect[];
}

/** The home folder of files in cases of file tools, which have no `~`. */
const HOME = "/root";
const RULES = readRules();

/** Of these a matcher says only when the script is asked. */
const SCRIPTS = RULES.filter(({ hook }) => hook.action === undefined);

const CASES = new Map(RULES.map((rule) => [rule, casesOf(rule)]));

function casesOf({ folder }: Rule): readonly ReadCase[] {
  const tests = join(folder, "tests");
  const cases = readdirSync(tests).flatMap(
    (name) => parse(readFileSync(join(tests, name), "utf8")) as Case[],
  );
  return cases.map((each) => {
    const { tool_name: toolName, tool_input: toolInput } = each.event;
    const options = { ...placeOf(each), env: { HOME } };
    return { ...each, effects: readToolEffects({ toolName, toolInput }, options) ?? [] };
  });
}

/** Nothing is there, so what a line makes it may remove. */
function placeOf({ event }: Case): PathSetPlace {
  return { workDir: event.work_dir, home: HOME, files: { exists: () => false } };
}

function outcomeOf({ hook, matchers }: Rule, read: ReadCase): Case["expect"]["outcome"] {
  const matches = matchers.flatMap((matcher) => matchEffects(matcher, read.effects, placeOf(read)) ?? []);
  if (matches.length === 0) return "allow";
  const isBlocked = hook.action?.type === "block" && matches.some(({ isUnreadable }) => !isUnreadable);
  return isBlocked ? "deny" : "ask";
}

const inputOf = ({ event }: Case) => JSON.stringify(event.tool_input);

describe.each(RULES.map((rule) => [rule.name, rule] as const))("%s", (name, rule) => {
  const cases = CASES.get(rule) ?? [];
  const isRefused = ({ expect: { outcome } }: Case) => outcome !== "allow";

  test("has at least 20 cases that it refuses and 20 that pass, each once", () => {
    expect(cases.filter(isRefused).length).toBeGreaterThanOrEqual(20);
    expect(cases.filter((each) => !isRefused(each)).length).toBeGreaterThanOrEqual(20);
    expect(new Set(cases.map(inputOf)).size).toBe(cases.length);
  });

  test("answers its cases as they say, but for what its script decides", () => {
    const decided = SCRIPTS.includes(rule) ? cases.filter(isRefused) : cases;
    const wrong = decided.filter((each) => outcomeOf(rule, each) !== each.expect.outcome);
    expect(wrong.map((each) => `${outcomeOf(rule, each)}: ${inputOf(each)}`)).toEqual([]);
  });

  test("has nothing among what passes that another rule refuses or asks about", () => {
    const passing = cases.filter((each) => !isRefused(each));
    const others = RULES.filter((each) => each !== rule && !SCRIPTS.includes(each));
    const stopped = passing.flatMap((each) =>
      others
        .filter((other) => outcomeOf(other, each) !== "allow")
        .map((other) => `${other.name}: ${inputOf(each)}`),
    );
    expect(stopped).toEqual([]);
  });

  test("is named like its folder, in its group, and says what to do instead and how to change it", () => {
    expect(rule.folder.endsWith(`/${name}`)).toBe(true);
    expect(name.startsWith(`${rule.group}-`)).toBe(true);
    const text = readFileSync(join(rule.folder, "HOOK.md"), "utf8");
    expect(text).toContain("Instead: ");
    expect(text).toContain(`[hooks.${name}]`);
  });
});
