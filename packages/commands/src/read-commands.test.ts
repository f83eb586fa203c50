import { expect, test } from "vitest";
import { threadTimeMs } from "../../engine/src/match/thread-time.ts";
import { readCommands } from "./read-commands.ts";
import { isText, type SimpleCommand, writesFile } from "./simple-command.ts";

/** The commands of a line as texts. Those that another command starts are indented. */
function read(line: string): string[] {
  return readCommands(line).commands.map((command) => `${indent(command)}${textOf(command)}`);
}

function indent({ starter }: SimpleCommand): string {
  return starter === undefined ? "" : `  ${indent(starter)}`;
}

function textOf({ words }: SimpleCommand): string {
  return words.map(({ value }) => value).join(" ");
}

test.each([
  ["a 'b c'\"d\" e\\ f", ["a b cd e f"]],
  ["a; b && c || d & e | f", ["a", "b", "c", "d", "e", "f"]],
  ["if a; then b; else c; fi", ["a", "b", "c"]],
  ["while a; do b; done", ["a", "b"]],
  ["case $x in a) b;; *) c;; esac", ["b", "c"]],
  ["f() { a; }; f", ["a", "f"]],
  ["! time a", ["a"]],
  ["(a; b) | { c; }", ["a", "b", "c"]],
  ['a "$(b `c`)" <(d)', ["c", "b `c`", "d", "a $(b `c`) <(d)"]],
  ["a $((1 + $(b)))", ["b", "a $((1 + $(b)))"]],
  [`a \${x:-$(b)}`, ["b", `a \${x:-$(b)}`]],
  ["cat <<END\n$(a)\nEND", ["a", "cat"]],
  ["cat <<'END'\n$(a)\nEND\nb", ["cat", "b"]],
  ["a # b", ["a"]],
  ["x=1 a", ["a"]],
  ["$'\\x72m' -r x", ["rm -r x"]],
  ["", []],
])("%j has the simple commands %j", (line, expected) => {
  expect(read(line)).toEqual(expected);
  expect(readCommands(line).problem).toBeUndefined();
});

test.each([
  ["sh -c 'a; b'", ["a", "b"]],
  ["bash -lc -- a", ["a"]],
  ["/bin/bash -o pipefail -c a", ["a"]],
  ["eval a b", ["a b"]],
  ["bash <<END\na\nEND", ["a"]],
  ["bash -s <<< a", ["a"]],
  ["sudo -u me -- a -u b", ["a -u b"]],
  ["sudo -nu me a", ["a"]],
  ["sudo --user=me a", ["a"]],
  ["env -i -u X A=1 a", ["a"]],
  ["env -S 'a b'", ["a b"]],
  ["nice -n 5 a", ["a"]],
  ["timeout -s KILL 5 a 6", ["a 6"]],
  ["chroot /mnt a", ["a"]],
  ["nohup a", ["a"]],
  ["npx -y a@1 b", ["a@1 b"]],
  ["bunx a", ["a"]],
  ["systemd-run -u x --on-active 5 a b", ["a b"]],
  ["fd -e ts . -x a {}", ["a {}"]],
  ["trap a EXIT", ["a"]],
  ["ssh host <<END\na\nEND", ["a"]],
  ["xargs -n 1 -I {} a {}", ["a {}"]],
  ["find . -name x -exec a {} \\; -execdir b {} +", ["a {}", "b {}"]],
  ["su -c a me", ["a"]],
  ["su - me --command=a", ["a"]],
  ["flock /tmp/x a", ["a"]],
  ["flock /tmp/x -c 'a b'", ["a b"]],
  ["env a -S", ["a -S"]],
  ["env -S'a b' c", ["a b c"]],
  ["su -ca", ["a"]],
  ["sudo -uelse a", ["a"]],
  ["eval -- a b", ["a b"]],
  ["parallel 'a {}' ::: b", ["a {}"]],
  ["docker run -p80:80 --entrypoint=a image -b", ["a -b"]],
  ["docker run image -b", []],
  ["kubectl exec -n b pod a", ["a"]],
  ["ssh host -p 22 a", ["a"]],
  ["uv --directory b run a", ["a"]],
  ["pwsh -NonInteractive -Command a b", ["a b"]],
  ["bash -euo pipefail -c a", ["a"]],
  ["{ bash; } <<END\na\nEND", ["a"]],
  ["bash <<END\n\\$(a)\nEND", ["a", "$(a)"]],
  ["watch -n 5 'a | b'", ["a", "b"]],
  ["ssh -p 22 me@host a b", ["a b"]],
  ["docker run --rm -v /:/x -it image a -b", ["a -b"]],
  ["docker exec -u root box a", ["a"]],
  ["docker compose exec web a", ["a"]],
  ["kubectl exec -it pod -- a", ["a"]],
  ["uv run --with b a", ["a"]],
  ["command -v a", []],
  ["sudo -l", []],
  ["bash a.sh", []],
  ["cat <<END\na\nEND", []],
])("%j starts %j", (line, expected) => {
  const started = readCommands(line).commands.filter(({ starter }) => starter !== undefined);
  expect(started.map(textOf)).toEqual(expected);
});

test("what a command starts can start another", () => {
  expect(read("sudo env A=1 sh -c 'xargs a'")).toEqual([
    "sudo env A=1 sh -c xargs a",
    "  env A=1 sh -c xargs a",
    "    sh -c xargs a",
    "      xargs a",
    "        a",
  ]);
});

test("a word is literal unless the shell fills something in", () => {
  const [{ words } = { words: [] }] = readCommands(
    `a 'b $c' "b" $c "$c" *.txt ~/b {b,c} \\$c $'b' b=~`,
  ).commands;
  expect(words.map(({ value, isLiteral }) => [value, isLiteral])).toEqual([
    ["a", true],
    ["b $c", true],
    ["b", true],
    ["$c", false],
    ["$c", false],
    ["*.txt", false],
    ["~/b", false],
    ["{b,c}", false],
    ["$c", true],
    ["b", true],
    ["b=~", true],
  ]);
});

test("redirections have what they read and write", () => {
  const line = "a >b 2>>c <d 2>&1 &>e <>f <<<'g h' >&i";
  const [{ redirections } = { redirections: [] }] = readCommands(line).commands;
  const written = redirections.filter(writesFile).map(({ target }) => target.value);
  expect(written).toEqual(["b", "c", "e", "f", "i"]);
  expect(redirections.filter(isText).map(({ target }) => target.value)).toEqual(["g h"]);
  expect(redirections[1]?.descriptor).toBe(2);
});

test("the redirections of a group stand in a command without words, before its commands", () => {
  const [group, a, b] = readCommands("{ a; b; } > c").commands;
  expect([group?.words, group?.redirections[0]?.target.value]).toEqual([[], "c"]);
  expect([a, b].map((command) => command?.redirections)).toEqual([[], []]);
});

test("an assignment has its name and the values that it may have", () => {
  const assigned = readCommands("x=1 a; export y=2; for z in 3 4; do b; done").commands.flatMap(
    ({ assignments }) => assignments.map(({ name, values }) => [name, values.map(({ value }) => value)]),
  );
  expect(assigned).toEqual([
    ["x", ["1"]],
    ["y", ["2"]],
    ["z", ["3", "4"]],
  ]);
});

test.each([
  ["a", "inherited"],
  ["(a)", "inherited"],
  ["sudo a", "inherited"],
  ["bash -c a", "inherited"],
  ["a < /dev/stdin", "inherited"],
  ["a < /dev/tty", "inherited"],
  ["a < file", "given"],
  ["a <<< text", "given"],
  ["{ a; } < file", "given"],
  ["a 3< file", "inherited"],
  ["xargs a", "given"],
  ["docker exec box a", "given"],
  ["docker exec -i box a", "inherited"],
  ["b | a", ["b"]],
  ["(b; c) | (d; a)", ["b", "c"]],
  ["b | c | a", ["c"]],
  ["a < <(b)", ["b"]],
])("the last command of %j reads %j", (line, expected) => {
  const { input } = readCommands(line).commands.at(-1) as SimpleCommand;
  expect(typeof input === "string" ? input : input.map(textOf)).toEqual(expected);
});

test("a shell of its own is a scope, and a group is none", () => {
  const { commands } = readCommands("a; { b; }; (c); d $(e); sh -c f");
  const scopeOf = (name: string) => commands.find(({ words }) => words[0]?.value === name)?.scope;
  for (const name of ["b", "d", "sh"]) expect(scopeOf(name)).toBe(scopeOf("a"));
  for (const name of ["c", "e", "f"]) expect(scopeOf(name)?.outer).toBe(scopeOf("a"));
  const started = readCommands("a; timeout 5 b; eval c; command d").commands;
  const inShell = started.filter(({ scope }) => scope === started[0]?.scope).map(textOf);
  expect(inShell).toEqual(["a", "timeout 5 b", "eval c", "c", "command d", "d"]);
  expect(scopeOf("a")?.outer).toBeUndefined();
});

test.each(["a 'b", 'a "b', "a $(b", "a )", "if a; then b", "a <<END\n$(b", "sh -c 'a )'", "a $(b ))"])(
  "of %j the rest is read, and the problem is said",
  (line) => {
    const { commands, problem } = readCommands(line);
    expect(commands.map(({ words: [program] }) => program?.value)).toContain("a");
    expect(problem).toEqual(expect.any(String));
  },
);

test.each([
  "$(".repeat(2_000) + ")".repeat(2_000),
  "(".repeat(2_000) + ")".repeat(2_000),
  "sudo ".repeat(2_000),
  `a ${"{a,b}".repeat(2_000)}`,
  `$((${"1+".repeat(20_000)}1))`,
  `eval ${"eval ".repeat(5_000)}`,
  `${"echo a; ".repeat(12_000)}`,
  `a ${"<(b) ".repeat(10_000)}`,
  `cat ${"<<A ".repeat(5_000)}`,
  `${"if a; then ".repeat(2_000)}`,
  "'".repeat(100_000),
  `find ${"-exec a ".repeat(12_000)}`,
  `find ${"-exec a ".repeat(18)};`,
  `${"eval $(".repeat(15)}${"a b ".repeat(2_000)}${")".repeat(15)}`,
  `${"sudo a;".repeat(10_000)}`,
  "\u0000".repeat(10_000),
])("a line that is made to take long is read within five seconds (%#)", (line) => {
  const startedAt = threadTimeMs();
  readCommands(line);
  expect(threadTimeMs() - startedAt).toBeLessThan(5_000);
});
