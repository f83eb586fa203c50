import { execFile } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";

/** A client's program, or why it is not there. */
export type PinnedClient =
  | { readonly program: string; readonly node?: string }
  /** It should be here, and its tests fail by this. */
  | { readonly failure: string }
  /** There is no program of it for this system. */
  | { readonly absence: string };

declare module "vitest" {
  interface ProvidedContext {
    pinnedClients: Readonly<Record<string, PinnedClient>>;
  }
}

interface Pin {
  readonly package: string;
  /** The path of its program below `node_modules`. */
  readonly program: string;
  /** The systems that npm has its program for, where that is not every one on which these tests run. */
  readonly systems?: readonly string[];
  /** Its version on a processor that has another one than the package's name says. */
  readonly versions?: Readonly<Record<string, string>>;
  /** The Node that it wants for itself: the oldest that we support is too old for it. */
  readonly node?: string;
}

const system = `${process.platform}-${process.arch}`;

/** OpenCode's newest version for arm64 is older than that for x64. */
const OPENCODE = { x64: "1.18.33", arm64: "1.18.18" };

/** The versions that the bridges were measured with. Some programs are in packages of their own for each system. */
export const PINNED = {
  claude: {
    package: "@anthropic-ai/claude-code@2.1.325",
    program: `@anthropic-ai/claude-code-${system}/claude`,
    node: "24",
  },
  codex: { package: "@openai/codex@0.166.0", program: "@openai/codex/bin/codex.js" },
  gemini: { package: "@google/gemini-cli@0.61.0", program: "@google/gemini-cli/bundle/gemini.js" },
  qwen: { package: "@qwen-code/qwen-code@0.24.4", program: "@qwen-code/qwen-code/cli-entry.js" },
  copilot: { package: "@github/copilot@1.0.102", program: `@github/copilot-${system}/copilot` },
  kimi: {
    package: "@moonshot-ai/kimi-code@2.1.0",
    program: "@moonshot-ai/kimi-code/dist/main.mjs",
    node: "24",
  },
  droid: {
    package: `@factory/cli-${system}@0.225.2`,
    program: `@factory/cli-${system}/bin/droid`,
    systems: ["linux-x64"],
  },
  opencode: {
    package: `opencode-ai@${process.arch === "arm64" ? OPENCODE.arm64 : OPENCODE.x64}`,
    program: `opencode-${system}/bin/opencode`,
    versions: OPENCODE,
  },
  cline: {
    package: "cline@3.0.65",
    program: `@cline/cli-${system}/bin/cline`,
    systems: ["linux-x64"],
  },
} satisfies Readonly<Record<string, Pin>>;

/** The version of a client that is pinned for a processor of Linux; `undefined` where it has none. */
export function versionOn(pin: Pin, processor: string): string | undefined {
  if (pin.systems?.includes(`linux-${processor}`) === false) return undefined;
  return pin.versions?.[processor] ?? pin.package.slice(pin.package.lastIndexOf("@") + 1);
}

/** Vitest's global setup: installs the pinned clients from the npm registry into a cache folder, once. Prints which of them run. */
export default async function setup(project: TestProject): Promise<void> {
  const found = Object.entries(PINNED).map(async ([id, pin]) => [id, await installed(pin)] as const);
  const clients = await Promise.all(found);
  const running = clients.filter(([, client]) => "program" in client);
  console.log(`${running.length} of ${clients.length} coding agents run on ${system}.`);
  for (const [id, client] of clients)
    if ("absence" in client) console.log(`Not run: ${id}: ${client.absence}`);
  project.provide("pinnedClients", Object.fromEntries(clients));
}

async function installed({ package: name, program, systems, node }: Pin): Promise<PinnedClient> {
  if (process.platform === "win32") return { absence: "these tests start POSIX shells" };
  if (systems?.includes(system) === false) return { absence: `npm has no program of it for ${system}` };
  try {
    const path = await installedFile(name, program);
    if (node === undefined) return { program: path };
    const own = `node-${system}`;
    return { program: path, node: await installedFile(`${own}@${node}`, `${own}/bin/node`) };
  } catch (error) {
    return { failure: (error as Error).message };
  }
}

const installations = new Map<string, Promise<string>>();

/** The path of a package's file in the cache. A package that several clients want is installed once. */
function installedFile(name: string, path: string): Promise<string> {
  const installation = installations.get(name) ?? install(name, path);
  installations.set(name, installation);
  return installation;
}

async function install(name: string, path: string): Promise<string> {
  const base = process.env.TENTERHOOK_CLIENTS ?? join(homedir(), ".cache", "tenterhook-test-clients");
  const folder = join(base, name.replaceAll(/[^a-z0-9.]+/g, "-"));
  const file = join(folder, "node_modules", path);
  if (existsSync(join(folder, "complete"))) return file;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), "{}\n");
  await npmInstall(folder, name);
  if (!existsSync(file)) throw new Error(`${name} was installed without its program for ${system}, ${path}.`);
  writeFileSync(join(folder, "complete"), "");
  return file;
}

function npmInstall(cwd: string, name: string): Promise<void> {
  const args = ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--force", name];
  return new Promise((resolve, reject) => {
    execFile("npm", args, { cwd, timeout: 300_000 }, (error, _, stderr) => {
      if (error === null) return resolve();
      const lines = stderr.split("\n").filter((line) => line.startsWith("npm error"));
      reject(new Error(`${name} could not be installed: ${lines.slice(0, 3).join(" ") || error.message}`));
    });
  });
}
