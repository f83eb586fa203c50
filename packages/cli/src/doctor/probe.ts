import { readFileSync } from "node:fs";
import type { Client } from "@tenterhook/bridges";
import { deliveringEvents } from "@tenterhook/bridges/coverage";
import {
  CANNOT_RUN,
  expectedRefusal,
  type Installation,
  type InstalledFile,
  installedCommand,
  NOT_CHECKED,
  newProbe,
  type Probe,
  probePayload,
  probeRecord,
  removeProbe,
} from "@tenterhook/bridges/install";
import { messageOf, typedCommand } from "@tenterhook/internal";
import { fileReason } from "../file-error.ts";
import { duration, oneLine } from "../terminal.ts";
import { type ClientEnd, startCommand, startPlugin, TIMEOUT_MS } from "./client-start.ts";
import type { DoctorFinding } from "./finding.ts";

/** A longer call gets a note, because a tool call waits for it. */
const SLOW_MS = 2_000;

/** The files of a client that are probed: one is enough for a client with a file per event. */
export function probedFiles(client: Client, files: readonly InstalledFile[]): readonly InstalledFile[] {
  const own = files.filter(({ kind }) => kind !== "trust");
  return client.configuration.files[0]?.format === "script"
    ? own.filter(({ path }) => path.endsWith("PreToolUse"))
    : own;
}

/** What a call of doctor has shown. */
export interface ProbeResult {
  readonly findings: readonly DoctorFinding[];
  readonly ms: number;
}

/**
 * Sends a tool call through the command in the client's file, as the client starts it. It must come back refused by a script, in the
 * client's own format. The script is in a folder of its own (`newProbe`): no hook of the user is asked, and nothing is left behind.
 */
export async function probe(
  client: Client,
  file: InstalledFile,
  installation: Installation,
): Promise<ProbeResult> {
  const event = probedEvent(client);
  const command = event === undefined ? undefined : installedCommand(client, file, event, installation);
  // The check of the entries reports a missing one.
  if (event === undefined || command === undefined) return { findings: [], ms: 0 };
  try {
    return await sendProbe(client, file, { event, command, installation });
  } catch (error) {
    const problem = `it cannot be tested: ${fileReason(error) ?? messageOf(error)}`;
    const fix = "Make the state folder writable, with space on its disk.";
    return { findings: [{ problem, fix }], ms: 0 };
  }
}

export function isSlow({ findings, ms }: ProbeResult): boolean {
  return findings.length === 0 && ms > SLOW_MS;
}

/** The note about a call that was slow although no other was under way. Whether hooks are enforced does not depend on it. */
export function notesOf(result: ProbeResult): readonly string[] {
  if (!isSlow(result)) return [];
  return [
    `an answer takes ${duration(result.ms)} without any hook of yours, and every tool call waits for it: look for what makes this machine, its shell or the disk of your home folder slow`,
  ];
}

interface SentProbe {
  readonly event: string;
  readonly command: string;
  readonly installation: Installation;
}

async function sendProbe(
  client: Client,
  file: InstalledFile,
  { event, command, installation }: SentProbe,
): Promise<ProbeResult> {
  const sent = newProbe(installation.locations.state);
  try {
    const begun = performance.now();
    const isPlugin = client.configuration.files[0]?.format === "plugin";
    const end = isPlugin
      ? await startPlugin(readFileSync(file.target, "utf8"), sent)
      : await startCommand(client, command, JSON.stringify(probePayload(client, event, sent)), sent.cwd);
    const ms = performance.now() - begun;
    const problem = isPlugin ? problemOfPlugin(end, sent) : findProblem(client, event, end, sent);
    if (problem === undefined) return { findings: [], ms };
    const scope = file.scope === "project" ? " --project" : "";
    const fix = `Run: ${typedCommand()} install ${client.id}${scope}, then doctor again. If it stays, run the command by hand: ${command}`;
    return { findings: [{ problem, fix }], ms };
  } finally {
    removeProbe(sent);
  }
}

/** The event that a client refuses a tool at. */
function probedEvent(client: Client): string | undefined {
  const events = deliveringEvents(client, "before_tool");
  return (events.find(([, { capabilities }]) => capabilities.block !== undefined) ?? events[0])?.[0];
}

/** What is wrong with the end of a call that must be refused, as a sentence. */
function findProblem(client: Client, event: string, end: ClientEnd, sent: Probe): string | undefined {
  const expected = expectedRefusal(client, event, sent);
  const isRefused = `${end.stdout}${end.stderr}`.includes(sent.reason);
  if (end.code === null || !isRefused) return withoutRefusal(end, sent);
  const form = `${client.name} does not read it as a refusal`;
  if (end.code !== expected.exit)
    return `a script refused a call, but ${form}: the exit code is ${end.code} instead of ${expected.exit}`;
  if (expected.stdout.trim() !== "" && !includesAll(parsed(end.stdout), parsed(expected.stdout)))
    return `a script refused a call, but ${form}: ${quote(end.stdout)} instead of ${quote(expected.stdout)}`;
  if (expected.stderr.includes(sent.reason) && !end.stderr.includes(sent.reason))
    return `a script refused a call, but ${form}: standard error does not contain the reason`;
  return undefined;
}

/** The plugin throws what the client shows to the model. */
function problemOfPlugin(end: ClientEnd, sent: Probe): string | undefined {
  const { thrown } = Object(parsed(end.stdout)) as { readonly thrown?: unknown };
  if (end.code !== null && thrown === sent.reason) return undefined;
  if (end.code !== null && thrown === null) return "the plugin lets a call through that a hook refuses";
  const text = typeof thrown === "string" ? thrown : `${end.stdout}${end.stderr}`;
  return withoutRefusal({ ...end, stdout: "", stderr: text }, sent);
}

/** Why a call was not refused by the script, as far as that is known. */
function withoutRefusal(end: ClientEnd, sent: Probe): string {
  const output = quote(end.stderr.trim() || end.stdout.trim());
  const said = output === "" ? "" : `: ${output}`;
  if (end.timedOut) return `no answer came within ${TIMEOUT_MS / 1_000} s${said}`;
  if (end.startError !== undefined) return `the command cannot be started${said}`;
  if (end.code === null) return `the command was ended by ${end.signal ?? "a signal"}${said}`;
  const record = probeRecord(sent);
  if (record?.reason !== undefined && record.reason !== sent.reason)
    return `the bridge runs, but the script of a hook does not: ${oneLine(record.reason)}`;
  const both = `${end.stdout}${end.stderr}`;
  if (both.includes(CANNOT_RUN))
    return `the bridge does not run, so guards refuse everything, and all other hooks are passed over${said}`;
  if (both.includes(NOT_CHECKED)) return `the bridge does not run, so all hooks are passed over${said}`;
  if (end.code === 0 && end.stdout.trim() === "")
    return `a call that a hook refuses is let through: exit code 0 and no answer${said}`;
  return `a call that a hook refuses is not refused: exit code ${end.code}${said}`;
}

function quote(text: string): string {
  const [line = ""] = text.trim().split("\n");
  return line.length > 300 ? `${line.slice(0, 300)}…` : line;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Whether a value has all that another one has; it may have more. */
function includesAll(value: unknown, expected: unknown): boolean {
  if (typeof expected !== "object" || expected === null) return value === expected;
  return (
    typeof value === "object" &&
    value !== null &&
    Object.entries(expected).every(([key, part]) =>
      includesAll((value as Record<string, unknown>)[key], part),
    )
  );
}
