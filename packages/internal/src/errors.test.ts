import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ERROR_CODES, type ErrorCode, messageOf, TenterhookError } from "./errors.ts";

describe("an error", () => {
  test("names hook, event, what happened and what to do, in one sentence after another", () => {
    const error = new TenterhookError("hook_timeout", "it did not answer within 5 ms.", {
      hook: "guard",
      event: "before_tool",
      hint: "Give it a longer timeoutMs.",
    });
    expect(error.message).toBe(
      'hook "guard" on before_tool: it did not answer within 5 ms. Give it a longer timeoutMs.',
    );
    expect(error).toMatchObject({ code: "hook_timeout", hook: "guard", event: "before_tool" });
    expect(error.hint).toBe("Give it a longer timeoutMs.");
  });

  test.each([
    [{}, "it broke."],
    [{ hook: "guard" }, 'hook "guard": it broke.'],
    [{ event: "on_error" }, "on on_error: it broke."],
    [{ hint: "Mend it." }, "it broke. Mend it."],
  ] as const)("with %o reads %j", (details, message) => {
    expect(new TenterhookError("hook_threw", "it broke.", details).message).toBe(message);
  });

  test("is an Error with a stack, the class's name, and its cause", () => {
    const cause = new Error("disk full");
    const error = new TenterhookError("hook_threw", "it failed.", { cause });
    expect(error).toBeInstanceOf(Error);
    expect(error.name).toBe("TenterhookError");
    expect(error.stack).toContain("errors.test.ts");
    expect(error.cause).toBe(cause);
    expect("cause" in new TenterhookError("hook_threw", "it failed.")).toBe(false);
  });

  test("shows no mark when it is printed or sent", () => {
    const error = new TenterhookError("bad_hook", "no.");
    expect(Object.keys(error)).not.toContain(Symbol.for("tenterhook.error").toString());
    expect(JSON.parse(JSON.stringify(error))).toEqual({ name: "TenterhookError", code: "bad_hook" });
  });

  test.each(Object.entries(ERROR_CODES))("code %s is explained in a sentence", (code, meaning) => {
    expect(code).toMatch(/^[a-z]+(_[a-z]+)*$/);
    expect(meaning).toMatch(/^[A-Z].*\.$/);
  });

  test.each([
    undefined,
    null,
    "TenterhookError",
    5,
    {},
    new Error("x"),
    { name: "TenterhookError", code: "bad_hook" },
  ])("is not taken for one when it is %o", (value) => {
    expect(TenterhookError.isInstance(value)).toBe(false);
  });
});

describe("two copies of the package in one process", () => {
  type Copy = { readonly TenterhookError: new (code: ErrorCode, message: string) => Error } & {
    readonly TenterhookError: { isInstance(value: unknown): boolean };
  };
  let folder: string;
  let copy: Copy;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "tenterhook-copy-"));
    const installed = join(folder, "node_modules/@tenterhook/protocol");
    await cp(fileURLToPath(new URL("../dist", import.meta.url)), join(installed, "dist"), {
      recursive: true,
    });
    await writeFile(join(installed, "package.json"), '{ "type": "module" }');
    copy = (await import(pathToFileURL(join(installed, "dist/index.js")).href)) as Copy;
  });

  afterAll(() => rm(folder, { recursive: true }));

  test("have different classes, and instanceof fails between them", () => {
    expect(copy.TenterhookError).not.toBe(TenterhookError);
    expect(new copy.TenterhookError("bad_hook", "no.")).not.toBeInstanceOf(TenterhookError);
  });

  test("recognise each other's errors, and no other error", () => {
    expect(TenterhookError.isInstance(new copy.TenterhookError("bad_hook", "no."))).toBe(true);
    expect(copy.TenterhookError.isInstance(new TenterhookError("bad_hook", "no."))).toBe(true);
    expect(copy.TenterhookError.isInstance(new Error("no."))).toBe(false);
  });

  test("agree on code and message", () => {
    const error: unknown = new copy.TenterhookError("bad_hook", "no.");
    if (!TenterhookError.isInstance(error)) throw new Error("not recognised");
    expect([error.code, error.message]).toEqual(["bad_hook", "no."]);
  });
});

describe("the message of what was thrown", () => {
  const cyclic: { self?: object } = {};
  cyclic.self = cyclic;

  test.each<[string, unknown, string]>([
    ["an Error", new Error("boom"), "boom"],
    ["an Error without a message", new TypeError(), "TypeError"],
    ["a string", "boom", "boom"],
    ["an object", { code: 5 }, '{"code":5}'],
    ["undefined", undefined, "undefined"],
    ["null", null, "null"],
    ["a symbol", Symbol("x"), "Symbol(x)"],
    ["a BigInt", 5n, "[object BigInt]"],
    ["a cyclic object", cyclic, "[object Object]"],
  ])("%s is text in every case", (_, thrown, message) => {
    expect(messageOf(thrown)).toBe(message);
  });
});
