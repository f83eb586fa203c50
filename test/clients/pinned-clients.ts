import { execFile } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";

/** A client's program, or why it cannot be run here. */
export type PinnedClient = { readonly program: string } | { readonly reason: string };

declare module "vitest" {
  interface ProvidedContext {
    pinnedClients: Readonly<Record<string, PinnedClient>>;
  }
}

const system = `${process.platform}-${process.arch}`;

/** The versions that the bridges were measured with. Some programs are in packages of their own for each system. */
const PINNED = {
  gemini: { package: "@google/gemini-cli@0.61.0", program: "@google/gemini-cli/bundle/gemini.js" },
  codex: { package: "@openai/codex@0.166.0", program: "@openai/codex/bin/codex.js" },
  qwen: { package: "@qwen-code/qwen-code@0.24.4", program: "@qwen-code/qwen-code/cli-entry.js" },
  opencode: { package: "opencode-ai@1.18.33", program: `opencode-${system}/bin/opencode` },
  claude: {
    package: "@anthropic-ai/claude-code@2.1.325",
    program: `@anthropic-ai/claude-code-${system}/claude`,
  },
};

/** Vitest's global setup: installs the pinned clients from the npm registry into a cache folder, once. */
export default async function setup(project: TestProject): Promise<void> {
  const found = Object.entries(PINNED).map(async ([id, pinned]) => [id, await installed(pinned)] as const);
  const pinnedClients = Object.fromEntries(await Promise.all(found));
  for (const [id, client] of Object.entries(pinnedClients))
    if ("reason" in client) console.warn(`The tests of ${id} are skipped: ${client.reason}`);
  project.provide("pinnedClients", pinnedClients);
}

async function installed({ package: name, program }: (typeof PINNED)["codex"]): Promise<PinnedClient> {
  if (process.platform === "win32") return { reason: "the test starts POSIX shells." };
  const base = process.env.TENTERHOOK_CLIENTS ?? join(homedir(), ".cache", "tenterhook-test-clients");
  const folder = join(base, name.replaceAll(/[^a-z0-9.]+/g, "-"));
  const path = join(folder, "node_modules", program);
  if (existsSync(join(folder, "complete"))) return { program: path };
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), "{}\n");
  const failed = await npmInstall(folder, name);
  if (failed !== undefined) return { reason: `${name} could not be installed: ${failed}` };
  if (!existsSync(path)) return { reason: `${name} has no program for ${system}.` };
  writeFileSync(join(folder, "complete"), "");
  return { program: path };
}

function npmInstall(cwd: string, name: string): Promise<string | undefined> {
  const args = ["install", "--ignore-scripts", "--no-audit", "--no-fund", "--force", name];
  return new Promise((resolve) => {
    execFile("npm", args, { cwd, timeout: 300_000 }, (error, _, stderr) =>
      resolve(error === null ? undefined : stderr.trim().split("\n").slice(0, 3).join(" ") || error.message),
    );
  });
}
