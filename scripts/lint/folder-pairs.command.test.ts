import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { temporaryFolder } from "@tenterhook/test-support/temporary-folder";
import { expect, test } from "vitest";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const SCRIPT = join(ROOT, "scripts", "lint", "folder-pairs.mjs");

test("two folders that import each other are reported with the file and line of both imports", async () => {
  const { code, output } = await check({
    "packages/shop/src/orders/order.ts":
      'import a from "node:fs";\nimport { price } from "../prices/price.ts";',
    "packages/shop/src/prices/deep/discount.ts": 'export type { Order } from "../../orders/order.ts";',
  });
  expect(output).toBe(
    [
      "Two folders import each other:",
      "  packages/shop/src/orders/order.ts:2 imports prices/price.ts",
      "  packages/shop/src/prices/deep/discount.ts:1 imports orders/order.ts",
      "",
    ].join("\n"),
  );
  expect(code).toBe(1);
});

test.each([
  ["a module that is loaded later", 'const late = await import("../orders/order.ts");'],
  ["a module that is loaded for its effects", 'import "../orders/order.ts";'],
  ["a statement of several lines", 'import {\n  order,\n} from "../orders/order.ts";'],
  ["a type", 'import type { Order } from "../orders/order.ts";'],
])("%s counts as an import", async (_, text) => {
  const { code } = await check({
    "packages/shop/src/orders/order.ts": 'import { price } from "../prices/price.ts";',
    "packages/shop/src/prices/price.tsx": text,
  });
  expect(code).toBe(1);
});

test("imports in tests, of files outside of folders and in one direction are not reported", async () => {
  const { code, output } = await check({
    "packages/shop/src/index.ts": 'export * from "./orders/order.ts";',
    "packages/shop/src/orders/order.ts": 'import { price } from "../prices/price.ts";\nimport "../log.ts";',
    "packages/shop/src/orders/own.ts": 'import "./order.ts";',
    "packages/shop/src/prices/price.test.ts": 'import { order } from "../orders/order.ts";',
    "packages/shop/src/prices/price.test-d.ts": 'import { order } from "../orders/order.ts";',
    "packages/shop/src/prices/price.ts": 'import "../../../orders/order.ts";',
  });
  expect(output).toBe("");
  expect(code).toBe(0);
});

test("the steps of a bridge's call import each other in one direction, and never the files that call them", async () => {
  const { code, output } = await check({
    "packages/bridges/src/call/bridge.ts": 'import "./read/read-call.ts";',
    "packages/bridges/src/call/read/read-call.ts": 'import "../decide/decide.ts";\nimport "../bridge.ts";',
    "packages/bridges/src/call/decide/decide.ts": 'import "../read/read-call.ts";',
  });
  expect(output.match(/Two folders import each other/g)).toHaveLength(2);
  expect(output).toContain("packages/bridges/src/call/decide/decide.ts:1 imports read/read-call.ts");
  expect(output).toContain("packages/bridges/src/call/read/read-call.ts:2 imports bridge.ts");
  expect(code).toBe(1);
});

test("the repository's linter runs this check", () => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  expect(scripts.lint).toContain("node scripts/lint/folder-pairs.mjs");
});

/** Runs the check on a project with these files. */
function check(files: Readonly<Record<string, string>>): Promise<{ code: number; output: string }> {
  const root = temporaryFolder();
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(root, dirname(path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return new Promise((resolve) => {
    execFile(process.execPath, [SCRIPT, root], (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), output: `${stdout}${stderr}` });
    });
  });
}
