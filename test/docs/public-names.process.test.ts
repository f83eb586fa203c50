import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { entryPoints, PUBLIC } from "../../scripts/generate/entry-points.ts";
import { pages, ROOT } from "./snippets.ts";

const ALL = entryPoints(ROOT);
const SHOWN = ALL.filter(({ isPublic }) => isPublic);
const NAMES = SHOWN.flatMap(({ path, names }) => names.map((name) => ({ path, ...name })));

/** A root is read as a whole, so it has few names. Raise none of these: a name that only other packages need is not public. */
const MOST = { "@tenterhook/engine": 50, "@tenterhook/file-hooks": 10, "@tenterhook/protocol": 50 };

/** Every page but those that are generated from the names themselves, and every example. */
const documents = [
  ...pages().filter((page) => !/^docs\/(?:decisions\/|reference\/(?:api|packages)\.md)/.test(page)),
  ...execFileSync("git", ["ls-files", "examples/*.ts"], { cwd: ROOT, encoding: "utf8" }).trim().split("\n"),
];
const texts = new Map(documents.map((file) => [file, readFileSync(join(ROOT, file), "utf8")]));

test.each(Object.entries(MOST))("%s exports at most %i names", (root, most) => {
  const names = SHOWN.find(({ path }) => path === root)?.names ?? [];
  expect(names.length).toBeGreaterThan(0);
  expect(names.length).toBeLessThanOrEqual(most);
});

test("every entry point that is listed as public exists and exports names", () => {
  const known = SHOWN.filter(({ names }) => names.length > 0).map(({ path }) => path);
  expect(known.sort()).toEqual(Object.keys(PUBLIC).sort());
});

test("every public name has a doc comment", () => {
  expect(NAMES.filter(({ comment }) => comment === "").map(({ path, name }) => `${path} ${name}`)).toEqual(
    [],
  );
});

/** Their users write types; those of the other entry points are mostly inferred. */
const TYPES_SHOWN = ["agent", "client", "engine", "file-hooks", "protocol"].map(
  (name) => `@tenterhook/${name}`,
);

test("every public value appears in a page or an example, and so does every type of the roots that users write types of", () => {
  const words = new Set([...texts.values()].join("\n").match(/[A-Za-z_]\w*/g));
  const unused = NAMES.filter(
    ({ path, name, isType }) => !(isType && !TYPES_SHOWN.includes(path)) && !words.has(name),
  );
  expect(unused.map(({ path, name }) => `${path} ${name}`)).toEqual([]);
});

test("every path that pages and examples import from exists, and is public", () => {
  const wrong = [...texts].flatMap(([file, text]) =>
    [...text.matchAll(/(?:from|import\()\s*"(@tenterhook\/[^"]+)"/g)]
      .map(([, path = ""]) => path)
      // A package whose entry points are internal shows them in its own README.
      .filter((path) => !SHOWN.some((entry) => entry.path === path) && !isOwnPage(file, path))
      .map((path) => `${file}: ${path}`),
  );
  expect(wrong).toEqual([]);
});

/**
 * The builder, the center and the configuration object follow three interfaces that existed before, which share these names, one of them
 * with a host's call of a tool; adapters name what they give a framework alike.
 */
const SHARED = [
  "AfterToolHook",
  "BeforeToolHook",
  "Hook",
  "HookContext",
  "HookEvent",
  "HookStack",
  "ToolCall",
  "ToolHookContext",
  "hooksMiddleware",
  "withHooks",
];

test("a public name names one thing, and the name of a type is no other type's in an internal entry point", () => {
  const declared = new Map<string, Set<string>>();
  const compared = ALL.flatMap(({ isPublic, names }) =>
    names.filter(({ name }) => isPublic || /^[A-Z][a-z]/.test(name)),
  );
  for (const { name, declared: where } of compared)
    declared.set(name, (declared.get(name) ?? new Set()).add(where));
  const several = [...declared].filter(([, places]) => places.size > 1).map(([name]) => name);
  expect(several.sort()).toEqual(SHARED);
});

function isOwnPage(file: string, path: string): boolean {
  const [, folder] = /^packages\/([^/]+)\/README\.md$/.exec(file) ?? [];
  return folder !== undefined && path.split("/")[1] === folder && ALL.some((entry) => entry.path === path);
}
