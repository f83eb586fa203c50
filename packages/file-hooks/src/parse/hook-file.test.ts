import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Finding } from "@tenterhook/protocol";
import { temporaryFolder } from "@tenterhook/test-support/temporary-folder";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { extractFrontmatter, openFrontmatter } from "./frontmatter-text.ts";
import { type ParsedHookFile, parseHookFile } from "./hook-file.ts";

function parse(text: string): ParsedHookFile {
  return parseHookFile("hooks/x/HOOK.md", extractFrontmatter(text));
}

function withFields(...lines: string[]): ParsedHookFile {
  return parse(
    `---\nname: guard\ndescription: A guard\ntrigger: before_tool\n${lines.join("\n")}\n---\nbody\n`,
  );
}

function shownFindings({ findings }: ParsedHookFile): string[] {
  return findings.map(
    ({ severity, line, field, message }: Finding) => `${severity} ${line} ${field ?? "-"}: ${message}`,
  );
}

describe("frontmatter", () => {
  test("has the specification's defaults", () => {
    expect(withFields().hook).toEqual({
      name: "guard",
      description: "A guard",
      trigger: "before_tool",
      events: ["before_tool"],
      timeoutMs: 30_000,
      mode: "sync",
      priority: 100,
      onError: "continue",
      always: false,
      rejudge: true,
      metadata: {},
    });
  });

  test("keeps the backslash of an escape that YAML does not know", () => {
    const { hook, findings } = withFields('matcher: { tool: WriteFile, pattern: "\\.(py|js)$" }');
    expect([hook?.matcher, findings]).toEqual([{ tool: "WriteFile", pattern: "\\.(py|js)$" }, []]);
  });

  test("warns of a backspace where a word boundary was meant", () => {
    expect(shownFindings(withFields("matcher:", '  pattern: "\\brm\\b"'))).toEqual([
      'warning 6 matcher.pattern: matcher.pattern has a backspace: in double quotes "\\b" is one; write it in single quotes',
    ]);
  });

  test("warns of a pattern that cannot be expressed, and keeps the hook", () => {
    const parsed = withFields("matcher: { pattern: 'a(?!b)' }");
    expect(parsed.hook?.matcher).toEqual({ pattern: "a(?!b)" });
    expect(shownFindings(parsed)[0]).toMatch(/^warning 5 matcher.pattern: .*look-around.*counts as matching/);
  });

  test.each<[string, string[], RegExp]>([
    ["a priority out of range", ["priority: 1001"], /^error 5 priority: priority must be at most 1000$/],
    ["a priority that is text", ["priority: high"], /^error 5 priority: priority must be a whole number$/],
    ["a timeout too short", ["timeout: 99"], /^error 5 timeout: timeout must be at least 100/],
    ["a timeout too long", ["timeout: 600001"], /^error 5 timeout: timeout must be at most 600000/],
    ["async that is text", ["async: soon"], /^error 5 async: async must be true or false$/],
    ["an unknown on_error", ["on_error: ignore"], /^error 5 on_error: on_error must be block or continue$/],
    [
      "a matcher with a foreign field",
      ["matcher:", "  tools: Shell"],
      /^error 5 matcher: matcher has no field tools/,
    ],
    ["a matcher that is text", ["matcher: Shell"], /^error 5 matcher: matcher must be an object/],
    ["action without a reason", ["action: block"], /^error 5 action: action: block needs a reason/],
    [
      "an action that is neither block nor ask",
      ["action: allow", "reason: x"],
      /^error 5 action: action must be block or ask$/,
    ],
    ["an ask without a reason", ["action: ask"], /^error 5 action: action: ask needs a reason/],
    ["an async ask", ["async: true", "action: ask", "reason: x"], /^error 5 async: an async hook cannot ask/],
    ["a list without a matcher", ["matcher: []"], /^error 5 matcher: matcher must have at least one/],
    [
      "a foreign field in a list",
      ["matcher:", "  - tool: Shell", "  - tools: Shell"],
      /^error 7 matcher.1: matcher.1 has no field tools/,
    ],
    [
      "an effect that does not exist",
      ["matcher:", "  effect: delete.recursiv"],
      /^error 6 matcher.effect: .*"delete.recursiv" cannot be used: there is no such effect.*delete.recursive/,
    ],
    [
      "a path set that does not exist, among others",
      ["matcher:", "  effect: [delete, write]", "  path: [root, systm]"],
      /^error 7 matcher.path: .*"systm" cannot be used: there is no such path set.*outside-project/,
    ],
    [
      "a path set that does not exist in not_path, in a list",
      ["matcher:", "  - effect: delete", "  - effect: move", "    not_path: scratsh"],
      /^error 8 matcher.1.not_path: the matcher's not_path "scratsh"/,
    ],
    ["a path without an effect", ["matcher:", "  path: root"], /^error 6 matcher.path: .*needs effect/],
    [
      "unknown that is not pass",
      ["matcher:", "  effect: delete", "  unknown: block"],
      /^error 7 matcher.unknown: matcher.unknown can only be pass$/,
    ],
    [
      "a number for an effect",
      ["matcher:", "  effect: 7"],
      /^error 6 matcher.effect: matcher.effect must be the name of an effect, or a list of these$/,
    ],
    [
      "a number among paths",
      ["matcher:", "  effect: delete", "  path: [root, 7]"],
      /^error 7 matcher.path.1: matcher.path.1 must be text$/,
    ],
    [
      "an empty list of effects",
      ["matcher:", "  effect: []"],
      /^error 6 matcher.effect: .*the list is empty/,
    ],
    ["a host with a scheme", ["matcher:", "  effect: send", "  host: https://x"], /^error 7 matcher.host: /],
    [
      "a list with text",
      ["matcher:", "  - tool: Shell", "  - Shell"],
      /^error 7 matcher.1: matcher.1 must be an object/,
    ],
    [
      "a doubtful pattern in a list",
      ["matcher:", "  - tool: Shell", "  - tool: Grep", "    pattern: 'a(?!b)'"],
      /^warning 8 matcher.1.pattern: .*counts as matching/,
    ],
    [
      "an async action",
      ["async: true", "action: block", "reason: x"],
      /^error 5 async: an async hook cannot block/,
    ],
    ["always on a sync hook", ["always: true"], /^error 5 always: always is for hooks with async: true$/],
    ["an unknown field", ["prority: 5"], /^warning 5 prority: there is no field "prority"/],
    ["a field twice", ["priority: 5", "priority: 6"], /^error 6 -: .*unique/],
    ["broken YAML", ["matcher: [unclosed"], /^error \d+ -: /],
    [
      "a bomb of aliases",
      [
        "metadata: { a: &a [1,1,1,1,1], b: &b [*a,*a,*a,*a,*a], c: &c [*b,*b,*b,*b,*b], d: [*c,*c,*c,*c,*c] }",
      ],
      /cannot be read/,
    ],
  ])("reports %s by line and field", (_what, lines, expected) => {
    expect(shownFindings(withFields(...lines)).join("\n")).toMatch(expected);
  });

  test("refuses to ask at an event where no person can be asked", () => {
    const text = "---\nname: x\ndescription: x\ntrigger: before_agent\naction: ask\nreason: sure?\n---\n";
    expect(shownFindings(parse(text))).toEqual([
      "error 5 action: no person can be asked at before_agent; write action: block",
    ]);
  });

  test("reads a matcher of effects: texts become lists", () => {
    const lines = [
      "matcher:",
      "  tool: Shell",
      "  effect: delete",
      "  path: [root, ~/x]",
      "  not_path: made",
      "  host: '*.example.com'",
      "  unknown: pass",
      "  unreadable: pass",
    ];
    expect(withFields(...lines)).toMatchObject({
      findings: [],
      hook: {
        matcher: {
          tool: "Shell",
          effect: ["delete"],
          path: ["root", "~/x"],
          notPath: ["made"],
          host: ["*.example.com"],
          unknown: "pass",
          unreadable: "pass",
        },
      },
    });
  });

  test("reads a list of matchers, and a list of one as one", () => {
    const lines = ["matcher:", "  - tool: Shell", "  - { tool: WriteFile, pattern: x }"];
    expect(withFields(...lines).hook?.matcher).toEqual([
      { tool: "Shell" },
      { tool: "WriteFile", pattern: "x" },
    ]);
    expect(withFields(...lines.slice(0, 2)).hook?.matcher).toEqual({ tool: "Shell" });
  });

  test.each<[string, string, RegExp]>([
    ["a missing name", "---\ndescription: x\ntrigger: before_tool\n---\n", /error 2 name: name is missing/],
    [
      "an empty name",
      "---\nname: ''\ndescription: x\ntrigger: before_tool\n---\n",
      /error 2 name: name must not be empty/,
    ],
    [
      "a name too long",
      `---\nname: ${"x".repeat(65)}\ndescription: x\ntrigger: before_tool\n---\n`,
      /at most 64/,
    ],
    [
      "an odd name",
      "---\nname: My Hook\ndescription: x\ntrigger: before_tool\n---\n",
      /warning 2 name: name should have only/,
    ],
    ["a missing trigger", "---\nname: x\ndescription: x\n---\n", /error 2 trigger: trigger is missing/],
    [
      "a mistyped trigger",
      "---\nname: x\ndescription: x\ntrigger: before_tol\n---\n",
      /error 4 trigger: .*Did you mean before_tool/,
    ],
    [
      "a matcher without a tool",
      "---\nname: x\ndescription: x\ntrigger: before_stop\nmatcher: { tool: Shell }\n---\n",
      /error 5 matcher: before_stop has no tool/,
    ],
    ["no frontmatter", "# Just a page\n", /error 1 -: it does not begin with/],
    ["frontmatter without an end", "---\nname: x\n", /error 1 -: the frontmatter is not closed/],
    [
      "frontmatter that is a list",
      "---\n- a\n- b\n---\n",
      /error 2 -: the frontmatter must be a list of fields/,
    ],
  ])("reports %s", (_what, text, expected) => {
    expect(shownFindings(parse(text)).join("\n")).toMatch(expected);
  });

  test("is not cut short where the first part that is read happens to end in dashes", () => {
    const file = join(temporaryFolder(), "HOOK.md");
    for (let padding = 150; padding < 260; padding++) {
      const yaml = `name: guard\ntrigger: before_tool\ndescription: |\n  ${"x".repeat(padding)}\n---- not the end\npriority: 7\n`;
      writeFileSync(file, `---\n${yaml}---\nbody\n`);
      expect(openFrontmatter(file).frontmatter).toEqual({ yaml });
    }
  });

  test("is read with Windows line ends and a byte order mark", () => {
    const text = "\uFEFF---\r\nname: guard\r\ndescription: x\r\ntrigger: before_tool\r\n---\r\nbody\r\n";
    expect(parse(text)).toMatchObject({ hook: { name: "guard" }, findings: [] });
  });
});

describe("any text", () => {
  const line = fc.oneof(
    fc.constantFrom(
      "name: x",
      "description: y",
      "trigger: before_tool",
      "trigger: nothing",
      "priority: 5",
      "matcher:",
      "  tool: '['",
    ),
    fc.constantFrom(
      '  pattern: "\\.py$"',
      "async: true",
      "always: true",
      "metadata: { a: [1, 2] }",
      "action: block",
      "reason: no",
    ),
    fc.string({ maxLength: 40 }),
    fc
      .tuple(fc.constantFrom("name", "timeout", "priority", "matcher", "metadata"), fc.json())
      .map(([key, json]) => `${key}: ${json}`),
  );
  const text = fc.array(line, { maxLength: 12 }).map((lines) => `---\n${lines.join("\n")}\n---\n`);

  test("is read without throwing, and what gives no hook gives an error with the file", () => {
    fc.assert(
      fc.property(fc.oneof(text, fc.string()), (source) => {
        const { hook, findings } = parse(source);
        if (hook === undefined) {
          expect(
            findings.some(({ severity, file }) => severity === "error" && file === "hooks/x/HOOK.md"),
          ).toBe(true);
        } else {
          expect(hook.events.length).toBeGreaterThan(0);
          expect(hook.name.length).toBeGreaterThan(0);
        }
        const last = source.split("\n").length + 1;
        for (const { line: at = 1 } of findings) expect(at >= 1 && at <= last).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });
});
