import { expect, test } from "vitest";
import { nameTools } from "./list-tools.ts";
import { serverPrefix } from "./parse-mcp-servers.ts";

/** What each tool is called, by its own name. */
const names = (server: string, ...tools: string[]) => {
  const named = nameTools(
    server,
    tools.map((name) => ({ name })),
  );
  return Object.fromEntries([...named].map(([called, { name }]) => [name, called]));
};

test("a tool has its server's name before it", () => {
  expect(names("files", "read_file", "list-dir")).toEqual({
    read_file: "files__read_file",
    "list-dir": "files__list-dir",
  });
});

test("what model APIs refuse in a name becomes an underscore", () => {
  expect(names("My files!", "read.file/über")).toEqual({ "read.file/über": "My_files__read_file__ber" });
});

test("no server's prefix contains the separator, so no server can use the name of another's tool", () => {
  expect(["a__b", "_a_", "a b__", "ä-ö", "a.-.b"].map(serverPrefix)).toEqual([
    "a_b",
    "a",
    "a_b",
    "-",
    "a_-_b",
  ]);
});

test("of two tools that would be called the same, the one with that name keeps it", () => {
  const both = names("s", "read.file", "read_file");
  expect(both.read_file).toBe("s__read_file");
  expect(both["read.file"]).toMatch(/^s__read_file_[0-9a-f]{8}$/);
});

test("a name does not depend on the order of the list", () => {
  expect(names("s", "a.b", "a/b", "c")).toEqual(names("s", "c", "a/b", "a.b"));
});

test("a long name is cut to 64 characters, and two that begin alike stay two", () => {
  const [one, other] = Object.values(names("server", `${"x".repeat(80)}1`, `${"x".repeat(80)}2`));
  expect(one).toMatch(/^server__x{47}_[0-9a-f]{8}$/);
  expect(one).toHaveLength(64);
  expect(other).not.toBe(one);
});

test("a server that names a tool like another one's hash is refused", () => {
  const taken = names("s", "a.b", "a/b")["a.b"]?.slice("s__".length) ?? "";
  expect(() => names("s", "a.b", "a/b", taken)).toThrow('its tools "a.b" and "a_b_');
});
