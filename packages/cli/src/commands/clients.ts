import { type Client, loadClients } from "@tenterhook/bridges";
import { findCapabilities, noticeAdvice } from "@tenterhook/bridges/coverage";
import {
  type FoundClient,
  findClients,
  installationFor,
  installedEnvironment,
  installedEvents,
  installedFiles,
  readRecord,
} from "@tenterhook/bridges/install";
import { typedCommand } from "@tenterhook/internal";
import { namedClients } from "../clients/named-clients.ts";
import { fileLocation } from "../clients/surroundings.ts";
import { defineCommand, EXIT } from "../command.ts";
import {
  bold,
  type Cell,
  dim,
  green,
  plain,
  print,
  printJson,
  table,
  titledTable,
  yellow,
} from "../terminal.ts";

export const clients = defineCommand({
  usage: "clients [CLIENT…]",
  about:
    "Shows the coding agents that can enforce hooks: the version on this machine, whether they are installed, and what hooks can do\n" +
    "there. For one that is named: its events, and how each fact is known.",
  options: {},
  arguments: { min: 0, max: Number.POSITIVE_INFINITY },
  examples: [
    { command: "tenterhook clients", means: "all of them, in a table" },
    { command: "tenterhook clients codex", means: "what Codex CLI enforces, and what not" },
  ],
  async run({ json }, names) {
    const wanted = names.length === 0 ? await loadClients() : await namedClients(names);
    const at = fileLocation();
    const cwd = process.cwd();
    const env = installedEnvironment(await loadClients(), cwd, process.env, at);
    const record = readRecord(installationFor(cwd, env).record);
    const rows = (await findClients(wanted, at)).map((each) => ({
      ...each,
      installed: SCOPES.filter((scope) => installedFiles(each.client, scope, at, record).length > 0),
    }));
    if (json) printJson({ clients: rows.map(asJson) });
    else if (names.length === 0) printTable(rows);
    else for (const row of rows) printOne(row);
    return EXIT.ok;
  },
});

const SCOPES = ["user", "project"] as const;

interface ClientRow extends FoundClient {
  readonly installed: readonly string[];
}

function printTable(rows: readonly ClientRow[]): void {
  const titles = findCapabilities(rows[0]?.client as Client).map(({ title }) => title);
  const line = (title: string, cell: (row: ClientRow) => Cell): Cell[] => [title, ...rows.map(cell)];
  const lines = [
    line("version here", ({ version, program }) => version ?? (program === undefined ? "-" : "?")),
    line("version known", ({ client }) => client.known.version),
    line("installed", ({ installed }) =>
      installed.length === 0 ? "-" : { text: installed.join(", "), style: green },
    ),
    ...titles.map((title, index) =>
      line(title, ({ client }) => {
        const { enforced = "no", isFull = false } = findCapabilities(client)[index] ?? {};
        return { text: enforced, style: isFull ? green : enforced === "no" ? yellow : plain };
      }),
    ),
  ];
  print(titledTable(["", ...rows.map(({ client }) => client.id)], lines));
  print();
  for (const note of NOTES) print(dim(note));
}

const NOTES = [
  "refuses: the call is refused where a hook wants this. later: with the next event that can carry it.",
  "asks: the person is asked about the changed input. with can_approve: only for hooks whose metadata says so, else it refuses.",
  "partly: not in every way of running it, or later. once: it is delayed once, and then stops.",
  `How it is known, and what else is not enforced: ${typedCommand()} clients CLIENT`,
];

function printOne({ client, version, installed }: ClientRow): void {
  const { known } = client;
  print(
    `${bold(client.name)} ${dim(version === undefined ? "not found on this machine" : `${version} on this machine`)}`,
  );
  print(`  known: version ${known.version}`);
  print(`  installed: ${installed.length === 0 ? "no" : installed.join(", ")}`);
  for (const { path, scope } of client.configuration.files)
    print(dim(`  ${scope}: ${scope === "user" ? "~/" : ""}${path}`));
  print();
  print(
    table(
      findCapabilities(client).map(({ title, enforced, why, evidence, isFull }): Cell[] => [
        `  ${title}`,
        { text: why === undefined ? enforced : `${enforced} (${why})`, style: isFull ? green : yellow },
        { text: evidence, style: dim },
      ]),
    ),
  );
  print();
  print(
    table(
      installedEvents(client).map(([name, { events, lost }]): Cell[] => [
        `  ${name}`,
        events.join(", "),
        { text: lost ?? "", style: dim },
      ]),
    ),
  );
  print();
  for (const limit of findLimits(client)) print(`  ${limit}`);
}

function findLimits(client: Client): readonly string[] {
  return [...client.limits, noticeAdvice(client) ?? []].flat();
}

function asJson({ client, program, version, isConfigured, installed }: ClientRow) {
  return {
    id: client.id,
    name: client.name,
    program,
    version,
    is_configured: isConfigured,
    installed,
    known: client.known,
    capabilities: findCapabilities(client).map(({ id, enforced, isFull, why, by, evidence }) => ({
      id,
      enforced,
      is_full: isFull,
      why,
      evidence: by,
      evidence_text: evidence,
    })),
    events: Object.fromEntries(installedEvents(client).map(([name, { events }]) => [name, events])),
    limits: findLimits(client),
  };
}
