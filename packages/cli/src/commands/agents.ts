import type { BlueprintInput } from "@tenterhook/protocol/runs";
import { ago } from "../ago.ts";
import { defineCommand, type Values } from "../command.ts";
import { ACCESS_OPTIONS } from "../fleet/access.ts";
import {
  type ClientSubcommands,
  type CoordinatorClient,
  listAll,
  runSubcommand,
} from "../fleet/coordinator-client.ts";
import { jsonObject } from "../json-argument.ts";
import { type Cell, dim, print, printJson, titledTable } from "../terminal.ts";
import { UsageError } from "../usage-error.ts";

const options = { ...ACCESS_OPTIONS } as const;

/** At most this many agents are listed. */
const LIMIT = 1_000;

export const agents = defineCommand({
  usage: "agents [list | show NAME | put FILE | delete NAME]",
  about:
    "Manages the agents of a coordinator. A blueprint is a JSON object in a file, or on standard input for -. Saving an\n" +
    "existing name creates its next revision; active runs keep theirs.",
  options,
  arguments: { min: 0, max: 2 },
  examples: [
    { command: "tenterhook agents", means: "list all agents" },
    { command: "tenterhook agents show hello > hello.json", means: "print a blueprint" },
    { command: "tenterhook agents put hello.json", means: "save a blueprint" },
  ],
  run: (values, args) => runSubcommand("agents", SUBCOMMANDS, values, args),
});

const SUBCOMMANDS: ClientSubcommands<Values<typeof options>> = {
  list: { needs: [], run: list },
  show: { needs: ["NAME"], run: show },
  put: { needs: ["FILE"], run: put },
  delete: { needs: ["NAME"], run: remove },
};

async function list(client: CoordinatorClient, { json }: Values<typeof options>): Promise<void> {
  const found = await listAll(
    LIMIT,
    (paging) => client.agents.list(paging),
    (page) => page.agents,
  );
  if (json) return printJson({ agents: found });
  if (found.length === 0) return print(dim("No agents."));
  const titles = ["agent", "type", "rev", "hooks", "age", "saved by", ""];
  const rows = found.map(({ name, type, revision, hooks, updated_at, updated_by, description }): Cell[] => [
    name,
    type,
    String(revision),
    hooks.join(", "),
    ago(updated_at),
    updated_by ?? "",
    { text: description, style: dim },
  ]);
  print(titledTable(titles, rows));
}

/** Prints the blueprint, as `put` accepts it; with `--json` the whole record. */
async function show(
  client: CoordinatorClient,
  { json }: Values<typeof options>,
  name: string,
): Promise<void> {
  const agent = await client.agents.read(name);
  printJson(json ? agent : agent.blueprint);
}

async function put(client: CoordinatorClient, { json }: Values<typeof options>, file: string): Promise<void> {
  const blueprint = await jsonObject(file === "-" ? file : `@${file}`, file);
  const { name } = blueprint;
  if (typeof name !== "string" || name === "") {
    throw new UsageError(
      `${file}: a blueprint needs a name.`,
      'Add "name", of letters, digits, hyphens and underscores.',
    );
  }
  const saved = await client.agents.save(name, blueprint as BlueprintInput);
  if (json) printJson(saved);
  else print(`${name} saved, revision ${saved.revision}`);
}

async function remove(
  client: CoordinatorClient,
  { json }: Values<typeof options>,
  name: string,
): Promise<void> {
  await client.agents.delete(name);
  if (json) printJson({ deleted: name });
  else print(`${name} deleted`);
}
