import { execFile, execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { temporaryFolder } from "@tenterhook/test-support/temporary-folder";
import { expect, test } from "vitest";
import { COMMANDS } from "../../packages/cli/src/commands.ts";
import { GLOBAL_OPTIONS } from "../../packages/cli/src/read-arguments.ts";
import { pages, ROOT, snippetsOf } from "./snippets.ts";

const tracked = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], {
  cwd: ROOT,
  encoding: "utf8",
}).split("\n");

test("every link from one page to another leads to a file", () => {
  const dead = pages().flatMap((page) =>
    [...withoutCode(page).matchAll(/\]\(([^)\s]+)\)/g)]
      .map(([, target = ""]) => target.split("#")[0] ?? "")
      .filter((target) => target !== "" && !/^[a-z]+:/.test(target))
      .filter((target) => !existsSync(join(ROOT, dirname(page), target)))
      .map((target) => `${page}: ${target}`),
  );
  expect(dead).toEqual([]);
});

const GUIDES = ["ARCHITECTURE.md", "CONTRIBUTING.md"];

test("every file and folder that the guides for contributors name exists", () => {
  const named = GUIDES.flatMap(inCode).filter((text) => /^[\w./-]+(?:\.(?:tsx?|md|sql)|\/)$/.test(text));
  expect(named.length).toBeGreaterThan(150);
  const missing = named.filter((path) => {
    // Of a folder, any file in it.
    const within = (file: string) =>
      path.endsWith("/") ? `/${file}`.includes(`/${path}`) : `/${file}`.endsWith(`/${path}`);
    return !tracked.some(within);
  });
  expect(missing).toEqual([]);
});

test("every name in the code of the guides for contributors is one in the sources", () => {
  const sources = tracked
    .filter(
      (file) =>
        /^(?:packages|examples|scripts|test|bench)\/.*\.tsx?$/.test(file) && !file.startsWith("test/docs/"),
    )
    .filter((file) => existsSync(join(ROOT, file)))
    .map((file) => readFileSync(join(ROOT, file), "utf8"))
    .join("\n");
  const known = new Set(sources.match(/[A-Za-z_]\w*/g));
  const names = GUIDES.flatMap(inCode)
    .filter((text) => /^[A-Za-z_][\w.]*(?:\(.*\))?$/.test(text) && !/\.(?:tsx?|md|toml|sql)$/.test(text))
    .flatMap((text) => text.replace(/\(.*/, "").split("."));
  expect(names.length).toBeGreaterThan(20);
  expect(names.filter((name) => name !== "" && !known.has(name))).toEqual([]);
});

test("every npm script of the documentation exists", () => {
  const scripts = tracked
    .filter((file) => /^(?:packages\/[^/]+\/|bench\/|examples\/)?package\.json$/.test(file))
    .flatMap((file) => Object.keys(JSON.parse(readFileSync(join(ROOT, file), "utf8")).scripts ?? {}));
  const named = pages()
    .filter((page) => !page.startsWith("docs/decisions/"))
    .flatMap((page) =>
      [...readFileSync(join(ROOT, page), "utf8").matchAll(/\bnpm run ([a-z][\w:-]*)/g)].map(
        ([, name = ""]) => ({ page, name }),
      ),
    );
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter(({ name }) => !scripts.includes(name))).toEqual([]);
});

test("every tenterhook command of the documentation exists with its options", async () => {
  const commands = pages()
    // Decisions describe the past, and need not stay true.
    .filter((page) => !page.startsWith("docs/decisions/"))
    .flatMap((page) =>
      [
        ...readFileSync(join(ROOT, page), "utf8").matchAll(/\btenterhook ([a-z][a-z-]*)((?: [^\n`|#;)]+)?)/g),
      ].map(([, name = "", rest = ""]) => ({ page, name, rest })),
    );
  const wrong: string[] = [];
  for (const { page, name, rest } of commands) {
    const listed = COMMANDS[name];
    if (listed === undefined) {
      if (isCommandIn(page, name)) wrong.push(`${page}: tenterhook ${name}`);
      continue;
    }
    const known = Object.keys({ ...(await listed.load()).options, ...GLOBAL_OPTIONS });
    for (const [, option = ""] of unquoted(rest).matchAll(/ --([a-z-]+)/g)) {
      if (!known.includes(option)) wrong.push(`${page}: tenterhook ${name} --${option}`);
    }
  }
  expect(wrong).toEqual([]);
});

test.each([
  ["the one command for scripts", 0, "rm -fr /", "deletes / recursively (rm -fr /)"],
  ["the three minutes with Claude Code", 1, "git push --force", "this is not allowed here\n"],
])("%s: block %i of the page has Claude Code refuse %s", async (_, block, command, reason) => {
  const home = temporaryFolder();
  // Its folder is how an agent is found.
  mkdirSync(join(home, ".claude"));
  const snippets = snippetsOf("docs/coding-agents.md").filter(({ language }) => language === "sh");
  // Not the environment of an agent that may run these tests.
  const env = { PATH: process.env.PATH ?? "", HOME: home };
  await promisify(execFile)("sh", ["-eu", "-c", snippets[block]?.code ?? "exit 9"], { cwd: ROOT, env });
  const { hooks } = JSON.parse(readFileSync(join(home, ".claude", "settings.json"), "utf8"));
  const call = { session_id: "s", cwd: home, tool_name: "Bash", tool_input: { command } };
  const ran = promisify(execFile)(
    "sh",
    ["-c", `printf '%s' '${JSON.stringify(call)}' | ${hooks.PreToolUse[0].hooks[0].command}`],
    { env },
  );
  await expect(ran).rejects.toMatchObject({ code: 2, stderr: expect.stringContaining(reason) });
});

/** Prose says "tenterhook holds cloth"; a command is in code. */
function isCommandIn(page: string, name: string): boolean {
  const text = readFileSync(join(ROOT, page), "utf8");
  return (
    text.includes(`\`tenterhook ${name}`) ||
    new RegExp(`^(?:\\$ )?(?:npx )?tenterhook ${name}`, "m").test(text)
  );
}

function withoutCode(page: string): string {
  return readFileSync(join(ROOT, page), "utf8").replaceAll(/^```.*?^```$/gms, "");
}

/** What stands between single backquotes. */
function inCode(page: string): readonly string[] {
  return [...withoutCode(page).matchAll(/`([^`\n]+)`/g)].map(([, text = ""]) => text);
}

function unquoted(text: string): string {
  return text.replaceAll(/'[^']*'?|"[^"]*"?/g, "");
}
