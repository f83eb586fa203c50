import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Client, loadClients } from "@tenterhook/bridges";
import type { Probe } from "@tenterhook/bridges/install";
import { OutputHead, type ProcessExit, runProcess } from "@tenterhook/engine/process";

/** The most that a call of doctor may take. */
export const TIMEOUT_MS = 20_000;
/** More output than this is not an answer. */
const MAX_OUTPUT = 1_048_576;

/** How a program that a client starts ended. */
export interface ClientEnd extends ProcessExit {
  readonly stdout: string;
  readonly stderr: string;
}

/** Starts a command with the shell that the client starts it with. */
export function startCommand(
  { configuration: { shell = ["/bin/sh", "-c"] } }: Client,
  command: string,
  input: string,
  cwd: string,
): Promise<ClientEnd> {
  const isWindows = process.platform === "win32";
  const [named, option] = isWindows ? ["cmd.exe", "/c"] : shell;
  const program = named === "$SHELL" ? process.env.SHELL || "/bin/sh" : named;
  return run(program, [option, command], { cwd, input });
}

/**
 * Loads a plugin as its client does, and calls it about a tool. Prints the message of what it throws, which the client shows to the
 * model.
 */
export function startPlugin(text: string, { folder, session, cwd }: Probe): Promise<ClientEnd> {
  const plugin = join(folder, "plugin.mjs");
  writeFileSync(plugin, text);
  const call = { tool: "TenterhookDoctor", sessionID: session, callID: session };
  const program = `
    const { Tenterhook } = await import(${JSON.stringify(pathToFileURL(plugin).href)});
    const hooks = await Tenterhook({ directory: ${JSON.stringify(cwd)} });
    const thrown = await hooks["tool.execute.before"](${JSON.stringify(call)}, { args: {} }).then(() => null, ({ message }) => message);
    process.stdout.write(JSON.stringify({ thrown }), () => process.exit(0));
  `;
  return run(process.execPath, ["--input-type=module", "--eval", program], { cwd });
}

async function run(
  program: string,
  args: readonly string[],
  options: { readonly cwd: string; readonly input?: string },
): Promise<ClientEnd> {
  const [stdout, stderr] = [new OutputHead(MAX_OUTPUT), new OutputHead(MAX_OUTPUT)];
  const env = await clientEnvironment();
  const exit = await runProcess(program, args, { ...options, env, timeoutMs: TIMEOUT_MS, stdout, stderr });
  return { ...exit, stdout: String(stdout), stderr: exit.startError?.message ?? String(stderr) };
}

/** This environment without what clients set for their hooks: the caller, its session and its project. */
async function clientEnvironment(): Promise<Record<string, string>> {
  const names = (await loadClients()).flatMap(({ environment: { hookMarkers, project, session } }) => [
    ...hookMarkers,
    ...project,
    ...(session === undefined ? [] : [session]),
  ]);
  return Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value = ""]) =>
      names.includes(name) ? [] : [[name, value]],
    ),
  );
}
