import { block, proceed } from "@tenterhook/protocol";
import { describe, expect, test } from "vitest";
import { createHooks } from "../hooks.ts";
import { snapshot } from "./snapshot.ts";

describe("a snapshot", () => {
  test("is frozen to its last part, and leaves the original as it was", () => {
    const original = { a: [{ b: { c: 1 } }], date: new Date(0) };
    const copy = snapshot(original);
    expect(copy).toEqual(original);
    expect([copy, copy.a, copy.a[0], copy.a[0]?.b].every((part) => Object.isFrozen(part))).toBe(true);
    original.a.push({ b: { c: 2 } });
    expect(copy.a).toHaveLength(1);
  });

  test("copies a Date, which cannot be frozen, and shares what is made of another class", () => {
    const date = new Date(0);
    const classes = [
      new Map([[1, 2]]),
      new Set([1]),
      new Uint8Array([1]),
      Buffer.from("a"),
      new URL("http://a/"),
    ];
    const copy = snapshot({ date, classes });
    copy.date.setTime(5);
    expect([date.getTime(), copy.date.getTime()]).toEqual([0, 5]);
    for (const [index, each] of classes.entries()) expect(copy.classes[index]).toBe(each);
    expect(copy.classes.some((each) => Object.isFrozen(each))).toBe(false);
  });

  test("of a snapshot is the same, and its parts are not copied again", () => {
    const first = snapshot({ list: [{ a: 1 }, { a: 2 }] });
    expect(snapshot(first)).toBe(first);
    expect(snapshot([...first.list, { a: 3 }])[0]).toBe(first.list[0]);
  });

  test("of something that another hand has frozen only at the top is frozen all the way down", () => {
    const shallow = Object.freeze({ inner: { a: 1 } });
    const copy = snapshot(shallow);
    shallow.inner.a = 2;
    expect(copy).toEqual({ inner: { a: 1 } });
  });

  test("that could not be made leaves no part that counts as frozen", () => {
    const part = { a: 1 };
    const broken = {
      part,
      get fails() {
        throw new Error("no");
      },
    };
    expect(() => snapshot(broken)).toThrow("no");
    part.a = 2;
    expect(snapshot(part)).toEqual({ a: 2 });
  });

  test("reads a getter once, has values where it had getters, and keeps a key named __proto__", () => {
    let reads = 0;
    const value = JSON.parse('{"__proto__": {"a": 1}}') as Record<string, unknown>;
    Object.defineProperty(value, "n", { get: () => ++reads, enumerable: true });
    const copy = snapshot(value);
    expect([copy.n, copy.n, Object.keys(copy)]).toEqual([1, 1, ["__proto__", "n"]]);
    expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
  });
});

const WAYS = {
  "an answer": (change: () => object) => {
    const hooks = createHooks();
    hooks.on("before_tool", () => proceed({ toolInput: change() as Record<string, unknown> }), {
      priority: 1,
    });
    return hooks;
  },
  "an argument of next": (change: () => object) => {
    const hooks = createHooks();
    hooks.use("before_tool", (_ctx, next) => next({ toolInput: change() as Record<string, unknown> }), {
      priority: 1,
    });
    return hooks;
  },
  "an approver's edit": (change: () => object) => {
    const hooks = createHooks();
    hooks.on("before_tool", () => ({ type: "ask", reason: change.name }) as const, { priority: 1 });
    return hooks;
  },
};

test.each(Object.entries(WAYS))(
  "a value that was changed by %s cannot be written into",
  async (_way, register) => {
    const value = { command: "ls", list: [1] };
    const hooks = register(() => value);
    hooks.on("before_tool", ({ toolInput }) => {
      if (toolInput.command !== "ls") return block("it was changed");
      return void (toolInput.list as number[]).push(2);
    });
    const approve = () => ({ type: "edit", value }) as const;
    const ended = await hooks.dispatch("before_tool", { toolName: "Shell", toolInput: {} }, { approve });
    expect(ended.reason).toContain("cannot be changed in place: return proceed({ toolInput })");
    value.list.push(3);
    expect(ended.payload.toolInput).toEqual({ command: "ls", list: [1] });
  },
);
