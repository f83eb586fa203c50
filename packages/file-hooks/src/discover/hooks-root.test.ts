import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { checkedText, withChecksum } from "@tenterhook/internal/files";
import { temporaryFolder } from "@tenterhook/test-support/temporary-folder";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Cataloguer } from "./catalogue.ts";
import { HooksRoot } from "./hooks-root.ts";
import { findLocations } from "./locations.ts";

// A minute after the hooks were written: in the tick of a change, nothing is stored.
beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 60_000 }));
afterEach(() => void vi.useRealTimers());

function home(hooks: Readonly<Record<string, string>>) {
  const root = temporaryFolder();
  const locations = findLocations(root, { HOME: root });
  for (const [name, frontmatter] of Object.entries(hooks)) write(locations.userHooks, name, frontmatter);
  return locations;
}

function write(root: string, name: string, frontmatter: string): void {
  mkdirSync(join(root, name), { recursive: true });
  writeFileSync(join(root, name, "HOOK.md"), `---\n${frontmatter}\n---\n`);
}

function all(root: HooksRoot) {
  root.update();
  return root.hooks(() => true);
}

const simple = (name: string, trigger: string) => `name: ${name}\ndescription: x\ntrigger: ${trigger}`;

test("only the hooks of the event are parsed", async () => {
  const { userHooks, cache, ...rest } = home({
    a: simple("a", "before_tool"),
    b: simple("b", "session_end"),
  });
  const cataloguer = new Cataloguer({ userHooks, cache, ...rest }, undefined);
  const { hooks } = await cataloguer.current("session_end");
  expect(hooks.map(({ hook }) => hook.name)).toEqual(["b"]);
  await new Promise(setImmediate);
  const kept = all(new HooksRoot("user", userHooks, cache)).map(({ folder, parsed }) => [
    basename(folder),
    parsed?.hook?.name,
  ]);
  expect(kept).toEqual([
    ["a", undefined],
    ["b", "b"],
  ]);
});

test.each([
  ["an unknown trigger", simple("odd", "before_tol"), "no event"],
  ["no trigger", "name: odd\ndescription: x", "trigger is missing"],
  ["a coordinator's trigger", simple("odd", "on_run_start"), "belongs to the coordinator"],
  [
    "a trigger written in an unusual way",
    "name: odd\ndescription: x\ntrigger: !!str before_tool\npriority: no",
    "priority",
  ],
])("a hook with %s is parsed at once, so that it is reported", async (_what, frontmatter, message) => {
  const locations = home({ odd: frontmatter });
  const { findings } = await new Cataloguer(locations, undefined).current("session_end");
  expect(findings.map((finding) => finding.message).join()).toContain(message);
});

test("an unchanged root gives the same list, and the same catalogue", async () => {
  const locations = home({ a: simple("a", "before_tool") });
  const cataloguer = new Cataloguer(locations, undefined);
  const first = await cataloguer.current("before_tool");
  expect(cataloguer.current("before_tool")).toBe(first);
  write(locations.userHooks, "a", `${simple("a", "before_tool")}\npriority: 5`);
  expect((await cataloguer.current("before_tool")).hooks[0]?.hook.priority).toBe(5);
});

test("what another process has learned is read back, and what has changed since is not", async () => {
  const locations = home({ a: simple("a", "before_tool"), b: simple("b", "before_tool") });
  await new Cataloguer(locations, undefined).current();
  await new Promise(setImmediate);
  expect(readdirSync(locations.cache)).toHaveLength(1);
  write(locations.userHooks, "b", `${simple("b", "before_tool")}\npriority: 7`);
  const known = all(new HooksRoot("user", locations.userHooks, locations.cache)).map(
    ({ parsed }) => parsed?.hook?.priority,
  );
  expect(known).toEqual([100, undefined]);
  const { hooks } = await new Cataloguer(locations, undefined).current();
  expect(hooks.map(({ hook }) => [hook.name, hook.priority])).toEqual([
    ["a", 100],
    ["b", 7],
  ]);
});

test("what was read in the tick of its last change is read again, also by another process", async () => {
  const locations = home({ a: simple("a", "before_tool") });
  const { ctimeMs } = statSync(join(locations.userHooks, "a", "HOOK.md"));
  vi.setSystemTime(ctimeMs + 1);
  const cataloguer = new Cataloguer(locations, undefined);
  const first = await cataloguer.current("before_tool");
  expect(await cataloguer.current("before_tool")).not.toBe(first);
  await new Promise(setImmediate);
  vi.setSystemTime(ctimeMs + 60_000);
  const [found] = all(new HooksRoot("user", locations.userHooks, locations.cache));
  expect(found?.parsed).toBe(undefined);
});

test("a damaged cache is ignored", async () => {
  const locations = home({ a: simple("a", "before_tool") });
  await new Cataloguer(locations, undefined).current();
  await new Promise(setImmediate);
  for (const name of readdirSync(locations.cache)) writeFileSync(join(locations.cache, name), "{ damaged");
  const { hooks } = await new Cataloguer(locations, undefined).current();
  expect(hooks).toHaveLength(1);
});

test("a cache of another version is made anew", async () => {
  const locations = home({ a: simple("a", "before_tool") });
  const index = () => join(locations.cache, readdirSync(locations.cache)[0] ?? "");
  await new Cataloguer(locations, undefined).current();
  await new Promise(setImmediate);
  const written = readFileSync(index(), "utf8");
  const [lists = "", parsed = ""] = written.split("\n");
  // As an earlier version could store the folder: with its signature, and empty.
  const { version, ...stored } = JSON.parse(checkedText(lists) ?? "") as Record<string, unknown>;
  const earlier = { ...stored, version: Number(version) - 1, count: 0, names: "", triggers: "", heads: [] };
  writeFileSync(index(), `${withChecksum(JSON.stringify({ ...earlier, signatures: "" }))}\n${parsed}`);
  expect((await new Cataloguer(locations, undefined).current()).hooks).toHaveLength(1);
  await new Promise(setImmediate);
  expect(readFileSync(index(), "utf8")).toBe(written);
});
