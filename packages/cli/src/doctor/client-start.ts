import { type ChildProcess, spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Client, loadClients } from "@tenterhook/bridges";
import type { Probe } from "@tenterhook/bridges/install";

/** The most that a call of doctor may take. */
export const TIMEOUT_MS = 20_000;
/** More output than this is not an answer. */
const MAX_OUTPUT = 1_048_576;

/** How a program that a client starts ended. */
export type ClientEnd = { readonly stdout: string; readonly stderr: string } & (
  | { readonly type: "exit"; readonly code: number }
  | { readonly type: "signal"; readonly signal: string }
  | { readonly type: "timeout" }
  | { readonly type: "not_started" }
);

/** Starts a command with the shell that the client starts it with. */
export async function startCommand(
  { configuration: { shell = ["/bin/sh", "-c"] } }: Client,
  command: string,
  input: string,
  cwd: string,
): Promise<ClientEnd> {
  const isWindows = process.platform === "win32";
  const [named, option] = isWindows ? ["cmd.exe", "/c"] : shell;
  const program = named === "$SHELL" ? process.env.SHELL || "/bin/sh" : named;
  return ended(spawn(program, [option, command], await startOptions(cwd)), input);
}

/**
 * Loads a plugin as its client does, and calls it about a tool. Prints the message of what it throws, which the client shows to the
 * model.
 */
export async function startPlugin(text: string, { folder, session, cwd }: Probe): Promise<ClientEnd> {
  const plugin = join(folder, "plugin.mjs");
  writeFileSync(plugin, text);
  const call = { tool: "TenterhookDoctor", sessionID: session, callID: session };
  const program = `
    const { Tenterhook } = await import(${JSON.stringify(pathToFileURL(plugin).href)});
    const hooks = await Tenterhook({ directory: ${JSON.stringify(cwd)} });
    const thrown = await hooks["tool.execute.before"](${JSON.stringify(call)}, { args: {} }).then(() => null, ({ message }) => message);
    process.stdout.write(JSON.stringify({ thrown }), () => process.exit(0));
  `;
  const args = ["--input-type=module", "--eval", program];
  return ended(spawn(process.execPath, args, await startOptions(cwd)), "");
}

async function startOptions(cwd: string) {
  return {
    cwd,
    env: await clientEnvironment(),
    stdio: "pipe",
    detached: process.platform !== "win32",
    windowsHide: true,
  } as const;
}

/** This environment without what clients set for their hooks: the caller, its session and its project. */
async function clientEnvironment(): Promise<NodeJS.ProcessEnv> {
  const names = (await loadClients()).flatMap(({ environment: { hookMarkers, project, session } }) => [
    ...hookMarkers,
    ...project,
    ...(session === undefined ? [] : [session]),
  ]);
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !names.includes(name)));
}

function ended(child: ChildProcess, input: string): Promise<ClientEnd> {
  return new Promise((resolve) => {
    let stdout = "";
    let stderr = "";
    let isTimeout = false;
    const kill = () => {
      try {
        if (child.pid !== undefined && process.platform !== "win32") process.kill(-child.pid, "SIGKILL");
        else child.kill("SIGKILL");
      } catch {
        // It has ended meanwhile.
      }
    };
    // A process that has left the group may keep the pipes open, so this does not wait for their end.
    const timer = setTimeout(() => {
      isTimeout = true;
      kill();
      resolve({ type: "timeout", stdout, stderr });
      child.stdout?.destroy();
      child.stderr?.destroy();
    }, TIMEOUT_MS);
    child.stdout?.setEncoding("utf8").on("data", (text: string) => {
      stdout += text;
      if (stdout.length > MAX_OUTPUT) kill();
    });
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      stderr = (stderr + text).slice(0, MAX_OUTPUT);
    });
    child.stdin?.on("error", () => undefined);
    child.on("error", (error) => {
      clearTimeout(timer);
      resolve({ type: "not_started", stdout, stderr: error.message });
    });
    child.on("close", (code, signal) => {
      clearTimeout(timer);
      if (isTimeout) return;
      if (code === null) resolve({ type: "signal", signal: signal ?? "a signal", stdout, stderr });
      else resolve({ type: "exit", code, stdout, stderr });
    });
    child.stdin?.end(input);
  });
}
