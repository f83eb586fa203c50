import { spawn } from "node:child_process";
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Client } from "@tenterhook/bridges";
import {
  deliveringEvents,
  type Installation,
  type InstalledFile,
  installedCommand,
  installedEvents,
  probePayload,
} from "@tenterhook/bridges/install";
import { duration } from "../terminal.ts";
import type { DoctorFinding, StepResult } from "./finding.ts";

const TIMEOUT_MS = 20_000;
/** A longer call is reported as slow, because a tool call waits for it. */
const SLOW_MS = 2_000;

/** Sends a harmless event through the command in the client's file, and checks that it arrives at the bridge. */
export async function probe(
  client: Client,
  file: InstalledFile,
  installation: Installation,
): Promise<StepResult> {
  const [event] = deliveringEvents(client, "before_tool")[0] ?? installedEvents(client)[0] ?? [];
  const command = event === undefined ? undefined : installedCommand(client, file, event, installation);
  if (event === undefined || command === undefined) return { findings: [] };
  const { cwd, state } = installation.locations;
  const session = `tenterhook-doctor-${process.pid}`;
  const trace = join(state, "bridge", "sessions", `${client.id}-${session}`);
  const begun = performance.now();
  const { code, stderr } = await sent(
    command,
    JSON.stringify(probePayload(client, event, cwd, session)),
    cwd,
  );
  const ms = performance.now() - begun;
  const hasArrived = existsSync(trace);
  rmSync(trace, { recursive: true, force: true });
  const findings: DoctorFinding[] = [];
  const mend = `Run: tenterhook install ${client.id}`;
  const output = stderr.trim() === "" ? "" : `: ${stderr.trim().split("\n")[0]}`;
  if (code === null)
    findings.push({
      problem: `${command} did not answer within ${TIMEOUT_MS / 1_000} s`,
      mend: "Run tenterhook list, and look for a hook that hangs.",
    });
  else if (!hasArrived)
    findings.push({ problem: `${command} does not reach the bridge (exit code ${code})${output}`, mend });
  else if (ms > SLOW_MS)
    findings.push({
      problem: `an answer takes ${duration(ms)}, and every tool call waits for it`,
      mend: "Run tenterhook log: it shows how long each hook took.",
    });
  return { findings };
}

function sent(
  command: string,
  input: string,
  cwd: string,
): Promise<{ readonly code: number | null; readonly stderr: string }> {
  return new Promise((resolve) => {
    const [shell, option] = process.platform === "win32" ? ["cmd.exe", "/c"] : ["/bin/sh", "-c"];
    const child = spawn(shell, [option, command], {
      cwd,
      stdio: ["pipe", "ignore", "pipe"],
      detached: process.platform !== "win32",
    });
    let stderr = "";
    const timer = setTimeout(() => {
      if (child.pid !== undefined && process.platform !== "win32") process.kill(-child.pid, "SIGKILL");
      else child.kill("SIGKILL");
    }, TIMEOUT_MS);
    child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
    child.stdin.on("error", () => undefined);
    child.on("error", () => resolve({ code: 127, stderr }));
    child.on("close", (code) => {
      clearTimeout(timer);
      resolve({ code, stderr });
    });
    child.stdin.end(input);
  });
}
