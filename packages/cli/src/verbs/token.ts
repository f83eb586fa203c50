import type { LoginLink, NewToken, Scope, TokenRecord } from "@tenterhook/protocol/runs";
import { type Actions, chooseAction } from "../actions.ts";
import { ago } from "../ago.ts";
import { since } from "../audit/since.ts";
import { ACCESS_OPTIONS, findAccess } from "../fleet/access.ts";
import { CoordinatorClient } from "../fleet/coordinator-client.ts";
import { listAll } from "../fleet/list-all.ts";
import { bold, type Cell, print, printJson, say, table } from "../terminal.ts";
import { UsageError } from "../usage-error.ts";
import { defineVerb, EXIT, type Values } from "../verb.ts";

const SCOPES: Readonly<Record<Scope, string>> = {
  admin: "everything",
  client: "look, and start, stop and resume runs",
  runner: "carry out runs",
  viewer: "look",
};

const options = {
  ...ACCESS_OPTIONS,
  name: { type: "string", value: "N", about: "create: what it is for" },
  scope: { type: "string", value: "S", about: "create: admin, client, runner or viewer" },
  expires: { type: "string", value: "T", about: "create: in how long, as 12h or 30d (default: never)" },
} as const;

export const token = defineVerb({
  usage: "token [list | create --name N --scope S [--expires T] | revoke ID | link]",
  about:
    "Who may come in to a coordinator. A token is shown when it is made, and never again: only its hash is kept.\n" +
    `Scopes: ${Object.entries(SCOPES)
      .map(([scope, may]) => `${scope} (${may})`)
      .join(", ")}.\n` +
    "link prints an address that opens the page, once.",
  options,
  words: { least: 0, most: 2 },
  examples: [
    {
      command: "tenterhook token create --name build-machine --scope runner --expires 90d",
      means: "for a runner",
    },
    { command: "tenterhook token revoke tok_…", means: "it no longer counts, within two seconds" },
    { command: "tenterhook token link", means: "open the page as who you are" },
  ],
  async run(values, words) {
    const action = chooseAction("token", ACTIONS, words);
    await action.run(new CoordinatorClient(findAccess(values)), values, action.words[0] ?? "");
    return EXIT.ok;
  },
});

type Action = (client: CoordinatorClient, values: Values<typeof options>, id: string) => Promise<void>;

const ACTIONS: Actions<Action> = {
  list: { needs: [], run: list },
  create: { needs: [], run: create },
  revoke: { needs: ["ID"], run: revoke },
  link: { needs: [], run: link },
};

/** More than this nobody reads. */
const MOST = 1_000;

async function list(client: CoordinatorClient, { json }: Values<typeof options>): Promise<void> {
  const found = await listAll<TokenRecord>(client, "/tokens", "tokens", { most: MOST });
  if (json) return printJson({ tokens: found });
  const head = ["token", "scope", "kind", "name", "age", "used", "until"].map(
    (text): Cell => ({ text, style: bold }),
  );
  const rows = found.map((each): Cell[] => [
    each.token_id,
    each.scope,
    each.kind === "session" ? "page" : "token",
    each.name,
    ago(each.created_at),
    each.used_at === null ? "never" : `${ago(each.used_at)} ago`,
    each.expires_at ?? "it is revoked",
  ]);
  print(table([head, ...rows]));
}

async function create(client: CoordinatorClient, values: Values<typeof options>): Promise<void> {
  const { name, scope = "", expires, json } = values;
  if (name === undefined)
    throw new UsageError("a token needs a --name.", "Say what it is for: --name build-machine");
  if (!Object.hasOwn(SCOPES, scope)) {
    throw new UsageError(
      scope === "" ? "a token needs a --scope." : `there is no scope "${scope}".`,
      `It is one of ${Object.keys(SCOPES).join(", ")}.`,
    );
  }
  const made = await client.ask<NewToken>("POST", "/tokens", {
    body: { name, scope, ...(expires !== undefined && { expires_in_seconds: secondsOf(expires) }) },
  });
  if (json) return printJson(made);
  // The token alone, so that it can be piped to where it is kept.
  print(made.token);
  say(`this is ${made.token_id}, with the scope ${made.scope}; it is not shown again`);
}

async function revoke(
  client: CoordinatorClient,
  { json }: Values<typeof options>,
  id: string,
): Promise<void> {
  await client.ask("DELETE", `/tokens/${encodeURIComponent(id)}`);
  if (json) printJson({ revoked: id });
  else print(`${id} is revoked`);
}

async function link(client: CoordinatorClient, { json }: Values<typeof options>): Promise<void> {
  const made = await client.ask<LoginLink>("POST", "/login-links");
  if (json) return printJson(made);
  print(made.url);
  say(`it opens the page once, until ${made.expires_at}`);
}

/** `30d` as seconds: as long from now as `since` would go back. */
function secondsOf(text: string): number {
  const seconds = Math.round(-since(text, 0) / 1_000);
  if (seconds > 0) return seconds;
  throw new UsageError(`--expires: "${text}" is no length of time.`, "Write how long, as 12h or 30d.");
}
