import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { block } from "@tenterhook/protocol";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createHooks } from "../hooks.ts";
import { fastPath } from "./switch.ts";

const shell = { toolName: "Shell", toolInput: { command: "ls" } };

test("the engine enters the folder of the fast path at one place, by one function", () => {
  const source = fileURLToPath(new URL("../", import.meta.url));
  const imports = readdirSync(source, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts") && !/^fast[/\\]/.test(file))
    .flatMap((file) =>
      [...readFileSync(`${source}${file}`, "utf8").matchAll(/import (.*) from "[^"]*\/fast\/.*"/g)].map(
        ([, names]) => `${file}: ${names}`,
      ),
    );
  expect(imports).toEqual(["run-hooks.ts: { takeFastPath }"]);
});

describe.each([
  ["from the first dispatch", 1],
  ["after some dispatches", 3],
  ["never", Number.POSITIVE_INFINITY],
])("where the fast path is taken %s,", (_, runsUntilHot) => {
  const { runsUntilHot: usual } = fastPath;
  beforeAll(() => void (fastPath.runsUntilHot = runsUntilHot));
  afterAll(() => void (fastPath.runsUntilHot = usual));

  test("a dispatch inside a hook does not disturb the one around it", () => {
    const hooks = createHooks();
    hooks.on("before_tool", () => void hooks.dispatchNow("on_error", { error: new Error(), phase: "tool" }));
    hooks.on("before_tool", () => block("outer"), { name: "outer" });
    hooks.on("on_error", () => undefined);
    hooks.on("on_error", () => undefined);
    hooks.on("on_error", () => block("inner"), { name: "inner" });
    for (let count = 0; count < 5; count++) {
      expect(hooks.dispatchNow("before_tool", shell)).toMatchObject({ hook: "outer", reason: "outer" });
    }
  });

  test("a set without trace entries has none in any dispatch", () => {
    const hooks = createHooks({ trace: false });
    hooks.on("before_tool", () => undefined);
    for (let count = 0; count < 5; count++) {
      const dispatch = hooks.dispatchNow("before_tool", shell);
      expect("trace" in dispatch && dispatch.trace.entries).toEqual([]);
    }
  });

  test("a signal that is aborted already keeps all hooks from being called", () => {
    const hooks = createHooks();
    const called: string[] = [];
    hooks.on("before_tool", () => void called.push("hook"));
    for (let count = 0; count < 5; count++) {
      const dispatch = hooks.dispatchNow("before_tool", shell, { signal: AbortSignal.abort("enough") });
      expect(dispatch).toMatchObject({ action: "stop", reason: "cancelled: enough" });
    }
    expect(called).toEqual([]);
  });
});
