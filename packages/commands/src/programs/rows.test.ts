import { expect, test } from "vitest";
import { EFFECT_NAMES, type Target } from "../effects.ts";
import { pathTarget } from "../targets.ts";
import { UNKNOWN } from "../values.ts";
import { findProgram, PROGRAMS } from "./index.ts";
import type { Row } from "./row.ts";
import { type LinePort, runRow } from "./run-row.ts";

/** What the row of a program says about words, without a shell around it. */
function effectsOf(command: string): string[] {
  const [name = "", ...words] = command.split(" ");
  const effects: string[] = [];
  const place = { folder: "/repo", files: undefined, made: new Set<string>() };
  const textOf = (target: Target) => (target.type === "path" ? target.path : target.name);
  const line: LinePort = {
    input: "",
    folder: "/repo",
    note: (effect, targets) => effects.push([effect, ...targets.map(textOf)].join(" ")),
    effect: (effect, ...paths) =>
      effects.push([effect, ...paths.map((path) => pathTarget(path, place).path)].join(" ")),
    variable: () => undefined,
    ownVariable: () => undefined,
    workTree: () => "/repo",
    target: (path) => pathTarget(path, place),
    read(path) {
      effects.push(`read ${pathTarget(path, place).path}`);
      return UNKNOWN;
    },
    contentOf: () => UNKNOWN,
    write: (path) => effects.push(`write ${pathTarget(path, place).path}`),
    create: () => {},
    isFolder: () => undefined,
    link: (_from, to) => effects.push(`write ${pathTarget(to, place).path}`),
    print: () => {},
    start: (started) => `${effects.push(`start ${started.join(" ")}`)}`,
    startText: (text) => `${effects.push(`start text ${text}`)}`,
  };
  runRow(findProgram(name) ?? {}, name, words, line);
  return effects;
}

test.each([
  ["rm a b", ["delete /repo/a", "delete /repo/b"]],
  ["rm -rf /", ["delete.recursive /"]],
  ["rm --recur --force ../x", ["delete.recursive /x"]],
  ["rm x -r", ["delete.recursive /repo/x"]],
  ["rm -- -r", ["delete /repo/-r"]],
  ["rm --help -rf /", []],
  ["cp -t /etc a b", ["read /repo/a", "write /etc/a", "read /repo/b", "write /etc/b"]],
  ["cp a b c", ["read /repo/a", "write /repo/c/a", "read /repo/b", "write /repo/c/b"]],
  ["mv --target-directory=/x a", ["move /repo/a", "write /x/a"]],
  ["chmod -R 777 /", ["permissions.recursive /"]],
  ["chmod --reference=x y", ["permissions /repo/y"]],
  ["sort -o out in", ["read /repo/in", "write /repo/out"]],
  ["grep -e x f", ["read /repo/f"]],
  ["grep x f", ["read /repo/f"]],
  ["sed -i.bak s/a/b/ f", ["read /repo/f", "write /repo/f"]],
  ["head -n 5 f", ["read /repo/f"]],
])("%s does %j", (command, expected) => {
  expect(effectsOf(command)).toEqual(expected);
});

test("every row names effects of the list, and a program is in one row", () => {
  const names = Object.keys(PROGRAMS).flatMap((key) => key.split(" "));
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  for (const row of Object.values(PROGRAMS)) checkRow(row);
});

const ROLES = new Set<string>([
  "-",
  "read",
  "use",
  "write",
  "send",
  "host",
  "name",
  "code",
  "program",
  ...EFFECT_NAMES,
]);

function checkRow(row: Row): void {
  const roles = [
    ...(row.operands?.split(" ") ?? []).map((role) => role.replace(/\*$/, "")),
    ...(row.values?.split(" ") ?? []).flatMap((entry) => entry.split("=").slice(1)),
    ...(row.effects?.split(" ") ?? []),
  ];
  expect(roles.filter((role) => !ROLES.has(role))).toEqual([]);
  for (const change of Object.values(row.when ?? {})) checkRow(change);
  for (const subcommand of Object.values(row.commands ?? {})) checkRow(subcommand);
}
