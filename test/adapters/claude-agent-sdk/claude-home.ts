import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Options } from "@anthropic-ai/claude-agent-sdk";

/** A folder of its own for Claude Code, and the options that keep it in there, with a scripted model. */
export function createHome(modelUrl: string) {
  const home = mkdtempSync(join(tmpdir(), "claude-"));
  const ends: Promise<unknown>[] = [];
  const options = {
    cwd: home,
    settingSources: [],
    model: "claude-sonnet-4-5",
    env: {
      PATH: process.env.PATH,
      HOME: home,
      CLAUDE_CONFIG_DIR: join(home, ".claude"),
      ANTHROPIC_BASE_URL: modelUrl,
      ANTHROPIC_API_KEY: "none",
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    },
    spawnClaudeCodeProcess({ command, args, cwd, env, signal }) {
      const child = spawn(command, args, { cwd, env, signal, stdio: ["pipe", "pipe", "ignore"] });
      ends.push(new Promise((resolve) => child.once("close", resolve)));
      return child;
    },
  } satisfies Options;
  return {
    options,
    /** After an abort, Claude Code runs for up to two seconds more, and writes to its home. */
    async remove(): Promise<void> {
      await Promise.all(ends);
      rmSync(home, { recursive: true, force: true });
    },
  };
}
