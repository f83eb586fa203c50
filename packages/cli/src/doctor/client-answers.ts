import type { Client } from "@tenterhook/bridges";
import { findCapabilities } from "@tenterhook/bridges/coverage";
import {
  type FoundClient,
  type InstallOptions,
  installationFor,
  installedFiles,
  readRecord,
} from "@tenterhook/bridges/install";
import { typedCommand } from "@tenterhook/internal";
import { fileLocation } from "../clients/surroundings.ts";
import { bold, type Cell, dim, duration, green, oneLine, plain, table, yellow } from "../terminal.ts";
import type { DoctorFinding } from "./finding.ts";
import { probe, probedFiles } from "./probe.ts";

/** How a client's installed command answered a call that a script refuses. */
export interface ClientAnswer {
  readonly client: Client;
  readonly findings: readonly DoctorFinding[];
  readonly ms: number;
}

/** Has a call refused through the installed command of each client, all at once: several that hang take no longer than one. */
export async function askEach({
  clients,
  scope,
  cwd,
  env,
}: InstallOptions): Promise<readonly ClientAnswer[]> {
  const installation = installationFor(cwd, env);
  const record = readRecord(installation.record);
  const answers = clients.map(async (client): Promise<readonly ClientAnswer[]> => {
    const files = probedFiles(client, installedFiles(client, scope, fileLocation(), record));
    const fix = `Correct its file as it says above, then run: ${typedCommand()} install ${client.id}`;
    const without = { problem: "has no entries, so no hook is enforced in it", fix };
    if (files.length === 0) return [{ client, findings: [without], ms: 0 }];
    return Promise.all(files.map(async (file) => ({ client, ...(await probe(client, file, installation)) })));
  });
  return (await Promise.all(answers)).flat();
}

/** What each client answered, a line each. */
export function formatHeld(answers: readonly ClientAnswer[]): readonly string[] {
  if (answers.length === 0) return [];
  const rows = answers.map(({ client, findings, ms }): Cell[] => {
    const isHeld = findings.length === 0;
    const text = isHeld ? "refused it" : oneLine(findings[0]?.problem ?? "");
    const mark = { text: isHeld ? "  ✓" : "  !", style: isHeld ? green : yellow };
    return [
      mark,
      client.name,
      { text, style: isHeld ? plain : yellow },
      { text: isHeld ? duration(ms) : "", style: dim },
    ];
  });
  const fixes = new Set(answers.flatMap(({ findings }) => findings.map(({ fix }) => fix)));
  return [
    "",
    bold("Asked each of them about a call that a rule refuses"),
    table(rows),
    ...[...fixes].map((fix) => dim(`  → ${oneLine(fix)}`)),
    "",
  ];
}

/** What rules need most. */
const SHOWN: readonly string[] = ["refuse_tool", "ask", "keep_running"];

/** The clients that were found, and how far each lets rules act. */
export function formatFound(found: readonly FoundClient[]): readonly string[] {
  const rows = found.map(({ client, version }): Cell[] => [
    `  ${client.name}`,
    { text: version ?? "", style: dim },
    ...findCapabilities(client)
      .filter(({ id }) => SHOWN.includes(id))
      .map(({ enforced, isFull }): Cell => ({ text: enforced, style: isFull ? green : yellow })),
  ]);
  const titles = ["  can", "", "refuse a call", "ask you", "keep it working"];
  return [
    bold("Coding agents"),
    table([titles.map((text) => ({ text, style: dim })), ...rows]),
    dim(`  "refuses": where a rule asks, the call is refused. All of it: ${typedCommand()} clients`),
  ];
}
