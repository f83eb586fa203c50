import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { testUnknownVersion } from "../testing/test-version.ts";
import { readVersion } from "./support.ts";

const root = fileURLToPath(new URL("../../../../", import.meta.url));
const modules = join(root, "node_modules");

for (const [packageName, example] of [
  ["ai", "ai-sdk.js"],
  ["langchain", "langchain.js"],
] as const)
  testUnknownVersion(packageName, modules, join(root, "examples", "dist", "frameworks", example));

test("reads the version of a package that can only be imported, and does not export its manifest", () => {
  const folder = mkdtempSync(join(tmpdir(), "tenterhook-version-"));
  try {
    const installed = join(folder, "node_modules", "framework");
    mkdirSync(installed, { recursive: true });
    const exports = { ".": { import: "./index.js" } };
    writeFileSync(
      join(installed, "package.json"),
      JSON.stringify({ name: "framework", version: "3.2.1", exports }),
    );
    writeFileSync(join(installed, "index.js"), "");
    expect(readVersion(createRequire(join(folder, "program.js")), "framework")).toBe("3.2.1");
    expect(readVersion(createRequire(join(folder, "program.js")), "missing")).toBeUndefined();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
