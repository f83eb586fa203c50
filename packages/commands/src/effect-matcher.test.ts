import type { EffectMatcherInit } from "@tenterhook/protocol/internal";
import { describe, expect, test } from "vitest";
import { compileEffectMatcher, matchEffects } from "./effect-matcher.ts";
import type { CommandFiles } from "./effects.ts";
import { formatEffect } from "./format-effect.ts";
import { readCommand } from "./read-command.ts";

const PLACE = { workDir: "/repo/app", home: "/home/me" };

function match(init: EffectMatcherInit, line: string, place: object = {}) {
  const options = { ...PLACE, ...place };
  return matchEffects(compileEffectMatcher(init), readCommand(line, options).effects, options);
}

describe("a matcher matches", () => {
  test.each<[string, EffectMatcherInit, string, boolean]>([
    ["an effect of its name", { effect: "delete" }, "rm a", true],
    ["all below a shorter name", { effect: "delete" }, "rm -r a", true],
    ["no shorter effect than its name", { effect: "delete.recursive" }, "rm a", false],
    [
      "an effect by a name that is only the beginning of others",
      { effect: "discard" },
      "git stash drop",
      true,
    ],
    ["no effect whose name begins the same", { effect: "process" }, "rm a", false],
    ["one effect of a list", { effect: ["power", "delete"] }, "rm a", true],
    ["a path in a set", { effect: "read", path: "keys" }, "cat ~/.ssh/id_rsa", true],
    ["no path out of the set", { effect: "read", path: "keys" }, "cat README.md", false],
    ["a path in one of several", { effect: "write", path: ["git", "system"] }, "echo > /etc/x", true],
    ["no path that is in notPath", { effect: "delete", notPath: "scratch" }, "rm /tmp/x", false],
    [
      "one target of two, the other being in notPath",
      { effect: "delete", notPath: "scratch" },
      "rm /tmp/x a",
      true,
    ],
    [
      "no two targets of which each meets one half",
      { effect: "delete", path: "system", notPath: "/etc/**" },
      "rm a /etc/b",
      false,
    ],
    ["a path that is not known", { effect: "delete", path: "system" }, "rm $x", true],
    [
      "no path that is not known with unknown: pass",
      { effect: "delete", path: "system", unknown: "pass" },
      "rm $x",
      false,
    ],
    [
      "a key in a folder that is not known, in spite of unknown: pass",
      { effect: "read", path: "keys", unknown: "pass" },
      "cat $x/.ssh/id_rsa",
      true,
    ],
    [
      "no effect without a target where it has a path",
      { effect: ["power", "delete"], path: "root" },
      "reboot",
      false,
    ],
    ["an effect without a target where it has none", { effect: "power", notPath: "root" }, "reboot", true],
    ["a host", { effect: "send", host: "*.example.com" }, "curl -d x https://a.b.example.com/y", true],
    [
      "a host in other letters",
      { effect: "send", host: "Example.COM" },
      "curl -d x https://eXample.com",
      true,
    ],
    ["no other host", { effect: "send", host: "example.com" }, "curl -d x https://notexample.com", false],
    ["a host that is not known", { effect: "send", host: "example.com" }, 'curl -d x "$URL"', true],
    [
      "no host that is not known with unknown: pass",
      { effect: "send", host: "example.com", unknown: "pass" },
      'curl -d x "$URL"',
      false,
    ],
    ["no effect without a host where it has one", { effect: "delete", host: "*" }, "rm a", false],
    ["no path of another host", { effect: "delete", path: "root" }, "ssh h rm -rf /", false],
    ["what is sent from another host", { effect: "send" }, "ssh h 'curl -d x example.com'", true],
  ])("%s", (_, init, line, expected) => {
    expect(match({ unreadable: "pass", ...init }, line) !== undefined).toBe(expected);
  });

  test("a link by where it leads to, and excludes it only if both are in notPath", () => {
    const files: CommandFiles = { realPath: (path) => (path === "/tmp/x" ? "/etc/x" : path) };
    expect(match({ effect: "delete", path: "/etc/**" }, "rm /tmp/x", { files })).toBeDefined();
    expect(match({ effect: "delete", notPath: "/tmp/**" }, "rm /tmp/x", { files })).toBeDefined();
    expect(
      match({ effect: "delete", notPath: ["/tmp/**", "/etc/**"] }, "rm /tmp/x", { files }),
    ).toBeDefined();
    expect(match({ effect: "delete", notPath: "/**" }, "rm /tmp/x", { files })).toBeUndefined();
  });

  test("and says which effect and target it was", () => {
    const found = match({ effect: "delete", path: "system" }, "rm a /etc/x; rm /usr/y");
    expect(found).toMatchObject({
      effect: { command: "rm a /etc/x" },
      target: { path: "/etc/x" },
      isUnreadable: false,
    });
  });
});

describe("a line that cannot be read", () => {
  const LINE = "rm -rf $(";

  test("is met by every matcher, and marked", () => {
    expect(match({ effect: "power" }, LINE)).toMatchObject({
      isUnreadable: true,
      effect: { name: "unreadable" },
    });
    expect(match({ effect: "power", path: "root" }, LINE)).toMatchObject({ isUnreadable: true });
  });

  test("is not met where the rule lets it pass", () => {
    expect(match({ effect: "power", unreadable: "pass" }, LINE)).toBeUndefined();
  });

  test("is an ordinary match where the rule is about it, or about what can be read of it", () => {
    expect(match({ effect: "unreadable" }, LINE)).toMatchObject({ isUnreadable: false });
    expect(match({ effect: "delete" }, "rm -rf /\n)")).toMatchObject({ isUnreadable: false });
  });
});

describe("a glob of a rule", () => {
  test.each<[string, string, boolean]>([
    ["dist/**", "dist/x/y", true],
    ["dist/**", "dist", true],
    ["./dist/", "dist/x", true],
    ["dist/**", "/elsewhere/dist/x", false],
    ["./src", "src", true],
    ["./src", "src/a", false],
    ["*.pem", "a.pem", true],
    ["*.pem", "b/a.pem", false],
    ["**/*.pem", "b/c/a.pem", true],
    ["**/*.pem", "/etc/a.pem", false],
    ["/**/*.pem", "/etc/a.pem", true],
    ["../other/**", "../other/x", true],
    ["../other/**", "x", false],
    ["~/notes/**", "~/notes/x", true],
    ["~/notes/**", "/home/you/notes/x", false],
    ["~/notes/**", "/repo/app/~/notes/x", false],
    ["~", "~", true],
    ["/", "/", true],
    ["/", "/etc", false],
    ["a?c", "abc", true],
    ["a?c", "ac", false],
    ["a*b*c", "a-b-b-c", true],
    ["a*b*c", "a-b-b-d", false],
    ["C:\\data\\**", "C:/data/x", true],
    ["notes/a", "notes/*", true],
    ["notes/a", "n*/a", true],
    ["notes/a", "src/*", false],
  ])("%s is met by rm %s: %s", (glob, operand, expected) => {
    const init = { effect: "delete", path: glob, unreadable: "pass" } as const;
    expect(match(init, `rm ${operand}`) !== undefined).toBe(expected);
  });

  test.each<[string, string, boolean]>([
    ["dist/**", "dist/*", true],
    ["dist/*", "dist/*", true],
    ["dist/*.js", "dist/*.js", true],
    ["dist/*.js", "dist/*", false],
    ["dist/?", "dist/*", false],
    ["dist/a", "dist/*", false],
    ["dist/*", "dist/$x/y", false],
    ["dist/**", "dist/$x", true],
  ])("in notPath, %s excludes all that rm %s could name: %s", (glob, operand, expected) => {
    const init = { effect: "delete", notPath: glob, unreadable: "pass" } as const;
    expect(match(init, `rm ${operand}`) === undefined).toBe(expected);
  });

  test("follows the folder and the home of each call", () => {
    const matcher = compileEffectMatcher({ effect: "delete", path: ["dist/**", "~/x"] });
    const isMet = (workDir: string, home: string | undefined, path: string) =>
      matchEffects(matcher, readCommand(`rm ${path}`, { workDir, home }).effects, { workDir, home }) !==
      undefined;
    expect([isMet("/a", "/home/a", "/a/dist/x"), isMet("/b", "/home/b", "/a/dist/x")]).toEqual([true, false]);
    expect([isMet("/b", "/home/b", "/home/b/x"), isMet("/b", "/home/a", "/home/b/x")]).toEqual([true, false]);
    expect([isMet("/b", undefined, "/home/b/x"), isMet("/b", undefined, "/srv/b/x")]).toEqual([true, false]);
  });

  test("with many stars takes no time for a long path", () => {
    const glob = `/**/${"*a".repeat(200)}/**/${"*a".repeat(200)}b`;
    const started = performance.now();
    expect(
      match({ effect: "delete", path: glob }, `rm /${"a".repeat(2_000)}/${"a".repeat(2_000)}`),
    ).toBeUndefined();
    expect(performance.now() - started).toBeLessThan(500);
  });
});

describe("a matcher is refused", () => {
  test.each<[string, unknown, string]>([
    ["without an effect", {}, "the matcher's effect nothing cannot be used: it has to be a text"],
    ["with an empty list", { effect: [] }, "effect an array cannot be used: the list is empty"],
    [
      "with an unknown effect",
      { effect: "delete.all" },
      'effect "delete.all" cannot be used: there is no such effect. Known: read, ',
    ],
    ["with a part of a word", { effect: "del" }, "Did you mean delete?"],
    ["with an empty name", { effect: "" }, 'effect "" cannot be used'],
    ["with an unknown path set", { effect: "read", path: "secret" }, "Did you mean secrets?"],
    [
      "with a bare word",
      { effect: "read", path: ["keys", "bin-folder"] },
      "A file or folder is written as ./bin-folder.",
    ],
    [
      "with an excluding glob",
      { effect: "read", notPath: "!dist/**" },
      'notPath "!dist/**" cannot be used: a glob does not exclude.',
    ],
    ["with braces", { effect: "read", path: "*.{pem,key}" }, "Write one glob for each alternative."],
    ["with the home of another", { effect: "read", path: "~bob/x" }, "It begins with ~/."],
    ["with an address for a host", { effect: "send", host: "https://example.com/x" }, "Leave out the scheme"],
    [
      "with another word for unknown",
      { effect: "read", unknown: "block" },
      'unknown "block" cannot be used: the only value is "pass".',
    ],
    [
      "with another word for unreadable",
      { effect: "read", unreadable: true },
      'unreadable boolean true cannot be used: the only value is "pass".',
    ],
  ])("%s", (_, init, message) => {
    expect(() => compileEffectMatcher(init as EffectMatcherInit)).toThrow(
      expect.objectContaining({
        code: "bad_matcher",
        message: expect.stringContaining(message) as string,
      }) as Error,
    );
  });
});

describe("an effect in words", () => {
  test.each([
    ["sudo rm -fr /", "deletes / recursively (sudo rm -fr /)"],
    ["git push -f origin main", "force-pushes to main (git push -f origin main)"],
    ["rm $x/y", "deletes an unknown path that ends with /y (rm …/y)"],
    ["rm $x", "deletes a path that is not known (rm …)"],
    ["ssh h reboot", "stops or restarts the machine on another host (reboot)"],
    ["reboot", "stops or restarts the machine (reboot)"],
    ["rm 'a\u202eb\u001b[2J'", "deletes /repo/app/a\\u{202e}b\\u{1b}[2J (rm a\\u{202e}b\\u{1b}[2J)"],
  ])("%s: %s", (line, expected) => {
    const [effect] = readCommand(line, PLACE).effects;
    expect(effect && formatEffect(effect)).toBe(expected);
  });

  test("says why a line cannot be read", () => {
    const [effect] = readCommand("x".repeat(200_000), PLACE).effects;
    expect(effect && formatEffect(effect)).toBe("cannot be read: it is too long");
  });
});
