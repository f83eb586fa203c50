import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { temporaryFolder } from "@tenterhook/test-support/temporary-folder";
import { expect, test } from "vitest";

const { readPage } = (await import(new URL("./page-stamp.mjs", import.meta.url).href)) as {
  readPage(root: string): { readonly isBuilt: boolean; stamp(): void };
};

const SOURCE = "packages/dashboard/src/main.tsx";
const BUNDLED = "packages/client/dist/index.js";
const INSTALLED = "node_modules/.package-lock.json";
const BUILT = "packages/dashboard/dist/page/index.html";

/** A repository whose page was built. */
function builtPage() {
  const root = temporaryFolder();
  const write = (path: string, text = "first") => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  for (const path of [SOURCE, BUNDLED, INSTALLED]) write(path);
  for (const name of ["internal", "protocol", "client"]) {
    write(`packages/${name}/package.json`);
    write(`packages/${name}/dist/other.js`);
  }
  const page = readPage(root);
  expect(page.isBuilt).toBe(false);
  write(BUILT);
  page.stamp();
  expect(readPage(root).isBuilt).toBe(true);
  return { root, write };
}

test.each([SOURCE, BUNDLED, INSTALLED, BUILT])("the page is built again when %s has changed", (path) => {
  const { root, write } = builtPage();
  write(path, "other");
  expect(readPage(root).isBuilt).toBe(false);
  write(path);
  expect(readPage(root).isBuilt).toBe(true);
});

test("the page is built again when a file of it was removed, or its sources have a new file", () => {
  const { root, write } = builtPage();
  write("packages/dashboard/src/new.ts");
  expect(readPage(root).isBuilt).toBe(false);
  rmSync(join(root, "packages/dashboard/src/new.ts"));
  expect(readPage(root).isBuilt).toBe(true);
  rmSync(join(root, BUILT));
  expect(readPage(root).isBuilt).toBe(false);
});

test("the page can be built where no list of installed packages is", () => {
  const { root } = builtPage();
  rmSync(join(root, INSTALLED));
  const page = readPage(root);
  expect(page.isBuilt).toBe(false);
  page.stamp();
  expect(readPage(root).isBuilt).toBe(true);
});

test("a file that changes while the page is built counts as changed", () => {
  const { root, write } = builtPage();
  write(SOURCE, "second");
  const page = readPage(root);
  write(SOURCE, "third");
  page.stamp();
  expect(readPage(root).isBuilt).toBe(false);
});
