// Writes public collections of commands as lines for `npm run bench -- rules --corpus DIR`. They are read from git folders on this machine
// and belong to their authors, so what this writes is not committed:
//   node bench/rules/collect.mjs DIR --nah PATH/OF/nah/.git --tldr PATH/OF/tldr/.git
// Of nah's cases `block` is dangerous and `delegate` harmless; those about nah's own files are left out. They are split into two halves by a
// hash of their ids: `nah-read` may be looked at, `nah-unread` must never be.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";

const SEED = "tenterhook-2026:";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { nah: { type: "string" }, tldr: { type: "string" } },
});
const [folder] = positionals;
if (folder === undefined || (values.nah ?? values.tldr) === undefined) {
  console.error("node bench/rules/collect.mjs DIR --nah GIT_FOLDER --tldr GIT_FOLDER");
  process.exit(1);
}
mkdirSync(folder, { recursive: true });
if (values.nah !== undefined) {
  const samples = nahSamples(values.nah);
  write("nah-read", samples.filter(isRead));
  write(
    "nah-unread",
    samples.filter((sample) => !isRead(sample)),
  );
}
if (values.tldr !== undefined) write("tldr", tldrSamples(values.tldr));

function write(name, samples) {
  writeFileSync(
    join(folder, `${name}.jsonl`),
    samples.map((sample) => `${JSON.stringify(sample)}\n`).join(""),
  );
  const dangerous = samples.filter(({ expected }) => expected === "dangerous").length;
  console.log(`${name}: ${dangerous} dangerous, ${samples.length - dangerous} harmless`);
}

/** The lowest bit of the first byte of the hash: 1 is the half that may be read. */
function isRead({ id }) {
  const [first = 0] = createHash("sha256")
    .update(SEED + id)
    .digest();
  return (first & 1) === 1;
}

function nahSamples(repository) {
  const fixtures = JSON.parse(show(repository, "corpus/FIXTURES.json"));
  return list(repository, "corpus/")
    .filter((path) => path.endsWith(".jsonl") && !path.includes("self-protection"))
    .flatMap((path) => show(repository, path).split("\n"))
    .filter((line) => line.trim() !== "")
    .map((line) => JSON.parse(line))
    .filter(
      ({ id, command, expected: { verdict, guard = "" } }) =>
        command !== undefined &&
        /^(?:block|delegate)$/.test(verdict) &&
        !id.startsWith("self-protection") &&
        !guard.includes("self"),
    )
    .map(({ id, command, expected, ctx_fixture, observation_fixture }) => {
      const { cwd = "/workspace/project", env = {} } =
        fixtures.observation_fixtures[observation_fixture] ?? {};
      const { home } = fixtures.ctx_fixtures[ctx_fixture] ?? {};
      return {
        id,
        command,
        expected: expected.verdict === "block" ? "dangerous" : "harmless",
        cwd,
        home,
        env: Object.fromEntries(Object.entries(env).filter(([, value]) => typeof value === "string")),
      };
    });
}

/** The examples of all pages but those for Windows. */
function tldrSamples(repository) {
  const pages = list(repository, "pages/").filter(
    (path) => path.endsWith(".md") && !path.includes("/windows/"),
  );
  return readAll(repository, pages)
    .flatMap((page) => page.split("\n"))
    .flatMap((line) => /^`(.*)`$/.exec(line.trim())?.[1] ?? [])
    .map((example) => ({
      command: fill(example),
      expected: "harmless",
      cwd: "/home/me/project",
      home: "/home/me",
    }));
}

function fill(example) {
  return example
    .replaceAll("\\{\\{", "\u0001")
    .replaceAll("\\}\\}", "\u0002")
    .replace(/\{\{(.*?)\}\}/g, (_, value) => alternativeOf(value))
    .replaceAll("\u0001", "{{")
    .replaceAll("\u0002", "}}");
}

/** The long one of `[-l|--long]`, the first of others. */
function alternativeOf(value) {
  const [, options] = /^\[(.*)\]$/.exec(value) ?? [];
  return options?.split("|").at(-1) ?? value.split("|")[0];
}

function list(repository, path) {
  return git(repository, ["ls-tree", "-r", "--name-only", "HEAD", path]).toString().trim().split("\n");
}

function show(repository, path) {
  return git(repository, ["show", `HEAD:${path}`]).toString();
}

/** One process reads all of them. */
function readAll(repository, paths) {
  const answer = git(repository, ["cat-file", "--batch"], paths.map((path) => `HEAD:${path}\n`).join(""));
  const texts = [];
  let at = 0;
  for (const _ of paths) {
    const end = answer.indexOf("\n", at);
    const size = Number(answer.subarray(at, end).toString().split(" ")[2]);
    texts.push(answer.subarray(end + 1, end + 1 + size).toString());
    at = end + size + 2;
  }
  return texts;
}

function git(repository, args, input) {
  return execFileSync("git", [`--git-dir=${repository}`, ...args], { input, maxBuffer: 2 ** 30 });
}
