import { block, EVENT_NAMES, type EventName, eventRow, TenterhookError } from "@tenterhook/protocol";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createHooks } from "../hooks.ts";
import {
  allOf,
  anyOf,
  eventType,
  inputPattern,
  type Matcher,
  type MatcherLike,
  not,
  predicate,
  toMatcher,
  toolName,
} from "./matcher.ts";
import { type Match, PatternBudget } from "./pattern.ts";
import { MatchSubject } from "./subject.ts";

const YES = always("yes");
const NO = always("no");
const UNKNOWN = always("unknown");

describe("three-valued logic", () => {
  test.each([
    ["yes and yes", allOf(YES, YES), "yes"],
    ["yes and no", allOf(YES, NO), "no"],
    ["no and unknown", allOf(NO, UNKNOWN), "no"],
    ["unknown and no", allOf(UNKNOWN, NO), "no"],
    ["unknown and yes", allOf(UNKNOWN, YES), "unknown"],
    ["yes and unknown", allOf(YES, UNKNOWN), "unknown"],
    ["unknown and unknown", allOf(UNKNOWN, UNKNOWN), "unknown"],
    ["no or no", anyOf(NO, NO), "no"],
    ["no or yes", anyOf(NO, YES), "yes"],
    ["unknown or yes", anyOf(UNKNOWN, YES), "yes"],
    ["yes or unknown", anyOf(YES, UNKNOWN), "yes"],
    ["unknown or no", anyOf(UNKNOWN, NO), "unknown"],
    ["no or unknown", anyOf(NO, UNKNOWN), "unknown"],
    ["not yes", not(YES), "no"],
    ["not no", not(NO), "yes"],
    ["not unknown", not(UNKNOWN), "unknown"],
    ["not (unknown and no)", not(allOf(UNKNOWN, NO)), "yes"],
  ] as const)("%s, in planning as in matching", (_, matcher, expected) => {
    expect(matcher.plan("before_tool", "Shell", new PatternBudget())).toBe(expected);
    expect(matched(matcher)).toBe(expected);
  });

  test("a composed matcher is no only if no decision of its undecided parts could make it yes, and vice versa", () => {
    fc.assert(
      fc.property(tree, fc.infiniteStream(fc.boolean()), (node, coin) => {
        const match = matched(build(node));
        const settled = matched(build(settle(node, coin)));
        expect(settled).not.toBe("unknown");
        if (match !== "unknown") expect(settled).toBe(match);
      }),
    );
  });

  test("a part that settles the matter spares the parts behind it", () => {
    const asked: string[] = [];
    const noting = (name: string, answer: boolean) =>
      predicate(() => {
        asked.push(name);
        return answer;
      });
    expect(matched(allOf(noting("a", true), noting("b", false), noting("c", true)))).toBe("no");
    expect(matched(anyOf(noting("d", false), noting("e", true), noting("f", true)))).toBe("yes");
    expect(asked).toEqual(["a", "b", "d", "e"]);
  });

  test("what planning decides from the tool's name, matching never decides otherwise", () => {
    const leaf = fc.constantFrom<MatcherLike>(
      "Shell",
      "read_*",
      "/^(read|write)_/",
      { tool: /shell/i },
      eventType("before_tool", "after_tool"),
      eventType("on_tool_call"),
      inputPattern("rm"),
      () => true,
      () => false,
    );
    const { composed } = fc.letrec<{ composed: MatcherLike }>((tie) => ({
      composed: fc.oneof(
        { maxDepth: 4 },
        leaf,
        fc.tuple(tie("composed"), tie("composed")).map(([a, b]) => allOf(a, b)),
        fc.tuple(tie("composed"), tie("composed")).map(([a, b]) => anyOf(a, b)),
        tie("composed").map((part) => not(part)),
      ),
    }));
    const name = fc.constantFrom("Shell", "shell", "read_file", "write_file", "other");
    fc.assert(
      fc.property(composed, name, fc.constantFrom("ls", "rm -rf"), (like, tool, command) => {
        const matcher = toMatcher(like);
        const planned = matcher.plan("before_tool", tool, new PatternBudget());
        const payload = { toolName: tool, toolInput: { command } };
        const match = matcher.match(new MatchSubject("before_tool", payload, payload), new PatternBudget());
        if (planned !== "unknown") expect(match).toBe(planned);
      }),
    );
  });
});

describe("a hook with a composed matcher", () => {
  test.each([
    ["undecided", UNKNOWN, "block", true],
    ["not undecided", not(UNKNOWN), "block", true],
    ["undecided and yes", allOf(UNKNOWN, YES), "block", true],
    ["undecided or yes", anyOf(UNKNOWN, YES), "block", undefined],
    ["undecided and no", allOf(UNKNOWN, NO), "unmatched", undefined],
  ] as const)(
    "that is %s is called unless its matcher is certain not to match",
    async (_, matcher, verdict, matchUndecided) => {
      const hooks = createHooks();
      hooks.on("before_tool", () => block("asked"), { name: "guard", matcher });
      // A matcher that planning settles as "no" leaves the hook out of the plan, and so out of the trace.
      const { entries } = (await hooks.dispatch("before_tool", { toolName: "Shell", toolInput: {} })).trace;
      expect(entries[0]?.verdict ?? "unmatched").toBe(verdict);
      expect(entries[0]?.matchUndecided).toBe(matchUndecided);
    },
  );

  test("is asked by the parts together: tool and input and not the exception", async () => {
    const hooks = createHooks();
    const matcher = allOf(anyOf("Shell", "run_*"), inputPattern("deploy"), not(inputPattern("--dry-run")));
    hooks.on("before_tool", () => block("asked"), { matcher });
    const action = async (tool: string, command: string) =>
      (await hooks.dispatch("before_tool", { toolName: tool, toolInput: { command } })).action;
    expect(await action("Shell", "deploy")).toBe("refuse");
    expect(await action("run_script", "deploy now")).toBe("refuse");
    expect(await action("Shell", "deploy --dry-run")).toBe("go_on");
    expect(await action("Shell", "ls")).toBe("go_on");
    expect(await action("Read", "deploy")).toBe("go_on");
  });

  test("on several events is called on those that eventType names", async () => {
    const hooks = createHooks();
    const asked: EventName[] = [];
    hooks.on(["before_agent", "session_end"], ({ event }) => void asked.push(event), {
      matcher: eventType("session_end"),
    });
    await hooks.dispatch("before_agent", { message: "hi" });
    await hooks.dispatch("session_end", {});
    expect(asked).toEqual(["session_end"]);
  });

  test("is judged by its predicate on the fields of the event as they are now", async () => {
    const hooks = createHooks();
    hooks.on("before_agent", () => block("asked"), {
      matcher: ({ message }: { message: string }) => message === "b",
    });
    expect((await hooks.dispatch("before_agent", { message: "a" })).action).toBe("go_on");
    expect((await hooks.dispatch("before_agent", { message: "b" })).action).toBe("refuse");
  });

  test("whose predicate throws fails, with hook and event named, and does not pass", async () => {
    const hooks = createHooks();
    const matcher = anyOf("Read", () => {
      throw new Error("no database");
    });
    hooks.on("before_tool", () => {}, { name: "guard", matcher });
    const dispatch = await hooks.dispatch("before_tool", { toolName: "Shell", toolInput: {} });
    expect(dispatch.action).toBe("refuse");
    expect(dispatch.error).toMatchObject({ code: "matcher_threw", hook: "guard", event: "before_tool" });
    expect(dispatch.error?.message).toContain("no database");
  });
});

describe("a matcher in words", () => {
  test.each([
    [toMatcher("Shell"), "tool Shell"],
    [toMatcher("read_*"), "tool read_*"],
    [toMatcher("/^read_/i"), "tool /^read_/i"],
    [toolName(/^read_/i), "tool /^read_/i"],
    [inputPattern("\\.py$"), "input /\\.py$/"],
    [inputPattern(/secret/i), "input /secret/i"],
    [toMatcher({ tool: "Shell", pattern: "rm" }), "tool Shell and input /rm/"],
    [eventType("before_tool", "after_tool"), "event before_tool or after_tool"],
    [predicate(() => true), "a predicate"],
    [predicate(() => true, "at night"), "at night"],
    [
      toMatcher(function isLate() {
        return true;
      }),
      "isLate",
    ],
    [not("Shell"), "not tool Shell"],
    [not(anyOf("a", "b")), "not (tool a or tool b)"],
    [allOf("a", anyOf("b", "c")), "tool a and (tool b or tool c)"],
    [anyOf(allOf("a", "b"), not("c")), "(tool a and tool b) or not tool c"],
    [not(not(eventType("before_tool", "after_tool"))), "not (not (event before_tool or after_tool))"],
    [allOf({ tool: "a", pattern: "b" }, "c"), "(tool a and input /b/) and tool c"],
  ])("reads %o", (matcher, words) => {
    expect(matcher.description).toBe(words);
  });

  test("is shown in the list of hooks, and absent for a hook that matches everything", () => {
    const hooks = createHooks();
    hooks.on("before_tool", () => {}, { matcher: not(anyOf("a", "b")) });
    hooks.on("before_tool", () => {});
    expect(hooks.list("before_tool").map(({ matcher }) => matcher)).toEqual([
      "not (tool a or tool b)",
      undefined,
    ]);
  });
});

describe("registration", () => {
  const nonTool = EVENT_NAMES.filter((event) => !eventRow(event).tool);
  const tool = EVENT_NAMES.filter((event) => eventRow(event).tool);

  test.each(nonTool)(
    "refuses every matcher that needs a tool on %s, naming hook, event and matcher",
    (event) => {
      const likes: readonly MatcherLike[] = [
        "Shell",
        { tool: /x/ },
        { pattern: "rm" },
        not("Shell"),
        anyOf(() => true, inputPattern("rm")),
      ];
      for (const matcher of likes) {
        const error = refusal(() => createHooks().on(event, () => {}, { name: "guard", matcher }));
        expect(error).toMatchObject({ code: "bad_matcher", hook: "guard", event });
        expect(error.message).toMatch(`hook "guard" on ${event}: this event has no tool for "`);
        expect(error.message).toContain(toMatcher(matcher).description);
        expect(error.hint).toContain("predicate");
      }
    },
  );

  test.each(tool)("takes them on %s", (event) => {
    expect(() =>
      createHooks().on(event, () => {}, { matcher: allOf("Shell", inputPattern("rm")) }),
    ).not.toThrow();
  });

  test("takes predicates and eventType on events without a tool", () => {
    const matcher = allOf(
      eventType("before_agent"),
      predicate(() => true),
    );
    expect(() => createHooks().on("before_agent", () => {}, { matcher })).not.toThrow();
  });

  test("of one hook on two events, one of them without a tool, registers neither", () => {
    const hooks = createHooks();
    expect(() => hooks.on(["before_tool", "before_agent"], () => {}, { matcher: "Shell" as never })).toThrow(
      "before_agent",
    );
    expect(hooks.list()).toEqual([]);
  });

  test.each([
    ["null", null],
    ["a number", 5],
    ["true", true],
    ["an empty object", {}],
    ["an empty list", []],
    ["a list with something else", ["Shell", 5]],
    ["a misspelt key", { tools: "Shell" }],
    ["a surplus key", { tool: "Shell", event: "before_tool" }],
    ["an empty name", ""],
    ["an empty tool", { tool: "" }],
    ["a tool that is a number", { tool: 5 }],
    ["a bad part of a composition", undefined],
  ])("refuses %s as a matcher, naming hook, event and what would do", (_, like) => {
    const register = () => {
      const matcher = like === undefined ? anyOf("Shell", {} as MatcherLike) : (like as MatcherLike);
      createHooks().on("before_tool", () => {}, { name: "guard", matcher });
    };
    const error = refusal(register);
    expect(error.code).toBe("bad_matcher");
    expect(error.message).toMatch(/Give a tool name|Use "\*"|Its fields are|Did you mean/);
    if (like !== undefined) expect(error).toMatchObject({ hook: "guard", event: "before_tool" });
  });
});

function always(answer: Match): Matcher {
  return { description: answer, needsTool: false, plan: () => answer, match: () => answer };
}

function matched(matcher: Matcher): Match {
  return matcher.match(new MatchSubject("before_agent", {}, {}), new PatternBudget());
}

function refusal(work: () => unknown): TenterhookError {
  try {
    work();
  } catch (error) {
    if (TenterhookError.isInstance(error)) return error;
    throw error;
  }
  throw new Error("nothing was refused");
}

type Tree =
  | { readonly type: "leaf"; readonly answer: Match }
  | { readonly type: "and" | "or"; readonly parts: readonly [Tree, ...Tree[]] }
  | { readonly type: "not"; readonly part: Tree };

const { tree } = fc.letrec<{ tree: Tree }>((tie) => {
  const parts = fc
    .tuple(tie("tree"), fc.array(tie("tree"), { maxLength: 3 }))
    .map(([first, rest]): [Tree, ...Tree[]] => [first, ...rest]);
  return {
    tree: fc.oneof(
      { maxDepth: 4, withCrossShrink: true },
      fc.record({
        type: fc.constant("leaf" as const),
        answer: fc.constantFrom<Match>("yes", "no", "unknown"),
      }),
      fc.record({ type: fc.constantFrom("and" as const, "or" as const), parts }),
      fc.record({ type: fc.constant("not" as const), part: tie("tree") }),
    ),
  };
});

function build(node: Tree): Matcher {
  switch (node.type) {
    case "leaf":
      return always(node.answer);
    case "not":
      return not(build(node.part));
    case "and":
      return allOf(...(node.parts.map(build) as [Matcher, ...Matcher[]]));
    case "or":
      return anyOf(...(node.parts.map(build) as [Matcher, ...Matcher[]]));
  }
}

/** The same tree with every undecided leaf decided by the toss of a coin. */
function settle(node: Tree, coin: Iterator<boolean>): Tree {
  switch (node.type) {
    case "leaf":
      return node.answer === "unknown" ? { type: "leaf", answer: coin.next().value ? "yes" : "no" } : node;
    case "not":
      return { type: "not", part: settle(node.part, coin) };
    default:
      return { type: node.type, parts: node.parts.map((part) => settle(part, coin)) as [Tree, ...Tree[]] };
  }
}

describe("what cannot be looked through", () => {
  test.each<[string, unknown]>([
    ["a Map", new Map([["c", "rm -rf"]])],
    ["a Set", new Set(["rm -rf"])],
    ["a Buffer", Buffer.from("rm -rf")],
    [
      "a cycle that branches",
      (() => {
        const value: Record<string, unknown> = { n: 1 };
        value.a = value;
        value.b = [value, value];
        return value;
      })(),
    ],
  ])("is undecided, and the guard is asked: %s", async (_what, args) => {
    const hooks = createHooks();
    hooks.on("before_tool", () => block("asked"), { matcher: { pattern: "rm -rf" } });
    const dispatch = await hooks.dispatch("before_tool", { toolName: "Shell", toolInput: { args } });
    expect(dispatch.reason).toBe("asked");
  });

  test("a slow hook does not make the patterns of the next one undecided", async () => {
    const hooks = createHooks();
    hooks.on("before_tool", () => new Promise((resolve) => setTimeout(resolve, 200)), {
      matcher: { pattern: "ls" },
    });
    hooks.on("before_tool", () => block("rm is forbidden"), { matcher: { pattern: "rm -rf" } });
    const dispatch = await hooks.dispatch("before_tool", { toolName: "Shell", toolInput: { command: "ls" } });
    expect(dispatch.action).toBe("go_on");
  });

  test("a combination of nothing, and an event that does not exist, are refused", () => {
    expect(() => (anyOf as () => unknown)()).toThrow(/nothing to combine/);
    expect(() => eventType("nope" as never)).toThrow(/no event "nope"/);
  });
});
