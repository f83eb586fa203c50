import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { oneLine } from "../terminal.ts";
import { UsageError } from "../usage-error.ts";
import { MAX_RULE_BYTES, type RuleFile } from "./rule-files.ts";

/** How long git may take to fetch. */
const TIMEOUT_MS = 120_000;
/** The largest file that git may write, in blocks of 512 bytes: rules are small. */
const MAX_BLOCKS = 64 * 2048;
const MAX_LIST_BYTES = 16 * 1024 * 1024;
const MAX_RULES = 200;

/** `git@host:path`, as people copy it. */
const SHORT_SSH = /^[\w.-]+@[\w.-]+:(?!\/\/)[^\s]+$/;

/** Whether a text is an address rather than a name or a folder. Throws a `UsageError` for one that is not fetched from. */
export function isAddress(text: string): boolean {
  if (SHORT_SSH.test(text)) return true;
  const [, scheme] = /^([A-Za-z][\w+.-]*):(?::|\/\/)/.exec(text) ?? [];
  if (scheme === undefined) return false;
  if (scheme !== "https" && scheme !== "ssh")
    throw new UsageError(
      `rules are not fetched by ${scheme}: ${text}`,
      "Use an address that begins with https:// or ssh://, or a folder.",
    );
  const { hostname, password } = parsedAddress(text);
  // The address is stored in hooks.lock, which is committed.
  if (password !== "" || (scheme === "https" && text.includes("@")))
    throw new UsageError(
      "this address has a user or a password in it, which hooks.lock would show to everybody.",
      "Give the address without it, and let git know it: git help credentials",
    );
  if (hostname === "" || hostname.startsWith("-")) throw new UsageError(`${text} has no host.`);
  return true;
}

function parsedAddress(text: string): URL {
  try {
    return new URL(text);
  } catch {
    throw new UsageError(`${text} is not an address.`, "Use https://HOST/PATH or ssh://USER@HOST/PATH.");
  }
}

export interface FetchedRepository {
  readonly commit: string;
  /** The files of each folder with a HOOK.md. */
  readonly rules: readonly (readonly RuleFile[])[];
}

/**
 * Fetches the last commit of a repository into a folder, without checking it out: no hook, filter, submodule or setting of the repository
 * has an effect, and its files are read as git stores them.
 */
export function fetchRepository(address: string, folder: string): FetchedRepository {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const bare = join(folder, "repository");
  const clone = ["clone", "--quiet", "--bare", "--depth=1", "--single-branch", "--no-tags", "--template="];
  git(folder, ["-c", "transfer.fsckObjects=true", ...clone, "--", address, bare], address);
  const read = (args: readonly string[], input = "") =>
    git(folder, [`--git-dir=${bare}`, ...args], address, input);
  const commit = read(["rev-parse", "--verify", "HEAD^{commit}"]).toString().trim();
  const entries = treeEntries(read(["ls-tree", "-r", "-z", "--long", commit]).toString());
  const folders = ruleFolders(entries.map(({ path }) => path));
  if (folders.length > MAX_RULES)
    throw new UsageError(
      `${address} has more than ${MAX_RULES} rules.`,
      "Clone it, and name a folder of it.",
    );
  return { commit, rules: folders.map((each) => readFolder(each, entries, read)) };
}

interface TreeEntry {
  readonly mode: string;
  readonly object: string;
  readonly bytes: number;
  readonly path: string;
}

function treeEntries(list: string): readonly TreeEntry[] {
  return list
    .split("\0")
    .filter(Boolean)
    .map((line) => {
      const [, mode = "", object = "", size = "", path = ""] =
        /^(\d+) \w+ ([0-9a-f]+) +(\d+|-)\t([\s\S]*)$/.exec(line) ?? [];
      return { mode, object, bytes: size === "-" ? 0 : Number(size), path };
    });
}

/** The folders with a HOOK.md, each with `/` at its end, without those inside of another one. */
function ruleFolders(paths: readonly string[]): readonly string[] {
  const found = paths.filter((path) => /(?:^|\/)HOOK\.md$/.test(path)).map((path) => path.slice(0, -7));
  // They are sorted, so that an outer one comes first.
  const folders: string[] = [];
  for (const folder of found.sort())
    if (folders.length === 0 || !folder.startsWith(folders.at(-1) ?? "")) folders.push(folder);
  return folders;
}

function readFolder(
  folder: string,
  entries: readonly TreeEntry[],
  read: (args: readonly string[], input?: string) => Buffer,
): readonly RuleFile[] {
  const inside = entries.filter(({ path }) => path.startsWith(folder));
  const odd = inside.find(({ mode }) => mode !== "100644" && mode !== "100755");
  if (odd !== undefined)
    throw new UsageError(
      `${odd.path} is a link or a repository of its own, and a rule has plain files only.`,
      "Nothing was changed.",
    );
  if (inside.reduce((sum, { bytes }) => sum + bytes, 0) > MAX_RULE_BYTES)
    throw new UsageError(`${folder || "the repository"} is too large for a rule.`, "Nothing was changed.");
  const contents = read(["cat-file", "--batch"], inside.map(({ object }) => `${object}\n`).join(""));
  let at = 0;
  return inside.map(({ path, mode, bytes }) => {
    // Each object comes after a line with its size, and is followed by a line end.
    const start = contents.indexOf("\n", at) + 1;
    at = start + bytes + 1;
    const content = contents.subarray(start, start + bytes);
    return { path: path.slice(folder.length), isExecutable: mode === "100755", content };
  });
}

function git(folder: string, args: readonly string[], address: string, input = ""): Buffer {
  const settings = [
    "core.hooksPath=/dev/null",
    "core.fsmonitor=false",
    "credential.interactive=false",
  ].flatMap((setting) => ["-c", setting]);
  const words = ["git", ...settings, ...args];
  const limited = ["/bin/sh", "-c", `ulimit -f ${MAX_BLOCKS} && exec "$@"`, "sh", ...words];
  const [program = "", ...rest] = process.platform === "win32" ? words : limited;
  const ran = spawnSync(program, rest, {
    cwd: folder,
    env: gitEnvironment(folder),
    input,
    timeout: TIMEOUT_MS,
    maxBuffer: MAX_LIST_BYTES,
  });
  if (ran.status === 0) return ran.stdout;
  throw new UsageError(
    `nothing could be fetched from ${address}: ${whyFailed(ran)}.`,
    `Nothing was changed. Check the address and the network, that it is smaller than ${MAX_BLOCKS / 2048} MiB, and that git can read it without asking: git ls-remote ADDRESS`,
  );
}

function whyFailed({ status, error, signal, stderr }: ReturnType<typeof spawnSync>): string {
  if (status === 127 || (error as NodeJS.ErrnoException | undefined)?.code === "ENOENT")
    return "there is no git on the PATH";
  if ((error as NodeJS.ErrnoException | undefined)?.code === "ETIMEDOUT")
    return `git was not done after ${TIMEOUT_MS / 1000} s`;
  const lines = `${stderr}`.split("\n").map((line) => line.trim());
  const said = lines.find((line) => line.startsWith("fatal:")) ?? lines.filter(Boolean).at(-1);
  if (said !== undefined) return oneLine(said).replace(/\.$/, "");
  return signal === null
    ? `git ended with ${status}`
    : `git was ended by ${signal}, perhaps because it is too large`;
}

/** The environment of git: what a project may have set for it does not count, two protocols are allowed, and no question is asked. */
function gitEnvironment(folder: string): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !/^(?:GIT_|SSH_ASKPASS)/.test(name));
  return {
    ...Object.fromEntries(own),
    GIT_ALLOW_PROTOCOL: "https:ssh",
    GIT_TERMINAL_PROMPT: "0",
    GIT_ASKPASS: "",
    GIT_SSH_COMMAND: "ssh -o BatchMode=yes",
    GIT_CEILING_DIRECTORIES: folder,
    GIT_NO_LAZY_FETCH: "1",
    GIT_LFS_SKIP_SMUDGE: "1",
    GCM_INTERACTIVE: "never",
    SSH_ASKPASS_REQUIRE: "never",
    LC_ALL: "C",
  };
}
