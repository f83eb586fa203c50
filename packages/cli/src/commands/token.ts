import type { LoginLink, NewToken, RevokedToken, Scope, TokenRecord } from "@tenterhook/protocol/runs";
import { ago } from "../ago.ts";
import { since } from "../audit/since.ts";
import { defineCommand, EXIT, type Values } from "../command.ts";
import { didYouMean } from "../did-you-mean.ts";
import { ACCESS_OPTIONS, findAccess } from "../fleet/access.ts";
import { CoordinatorClient } from "../fleet/coordinator-client.ts";
import { listAll } from "../fleet/list-all.ts";
import { chooseSubcommand, type Subcommands } from "../subcommands.ts";
import { bold, type Cell, notify, print, printJson, table } from "../terminal.ts";
import { UsageError } from "../usage-error.ts";

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
  expires: {
    type: "string",
    value: "T",
    about: "create: in how long, as 12h or 30d (default: with the token that makes it)",
  },
  "runner-name": { type: "string", value: "N", about: "create, scope runner: the only name it registers" },
  tag: {
    type: "list",
    value: "T",
    about: "create, scope runner: the only tags it registers; may be repeated",
  },
} as const;

export const token = defineCommand({
  usage:
    "token [list | create --name N --scope S [--expires T] [--runner-name N] [--tag T]… | revoke ID | link]",
  about:
    "Who may come in to a coordinator. A token is shown when it is made, and never again: only its hash is kept.\n" +
    "What is made with a token ends with it: revoking one takes the tokens and sessions that were made with it along.\n" +
    `Scopes: ${Object.entries(SCOPES)
      .map(([scope, may]) => `${scope} (${may})`)
      .join(", ")}.\n` +
    "link prints an address that opens the page, once.",
  options,
  arguments: { min: 0, max: 2 },
  examples: [
    {
      command: "tenterhook token create --name build-machine --scope runner --expires 90d",
      means: "for a runner",
    },
    {
      command: "tenterhook token create --name gpu --scope runner --runner-name gpu-1 --tag gpu",
      means: "for one runner",
    },
    {
      command: "tenterhook token revoke tok_…",
      means: "it and what was made with it no longer count, within two seconds",
    },
    { command: "tenterhook token link", means: "open the page as who you are" },
  ],
  async run(values, args) {
    const subcommand = chooseSubcommand("token", SUBCOMMANDS, args);
    await subcommand.run(new CoordinatorClient(findAccess(values)), values, subcommand.args[0] ?? "");
    return EXIT.ok;
  },
});

type Subcommand = (client: CoordinatorClient, values: Values<typeof options>, id: string) => Promise<void>;

const SUBCOMMANDS: Subcommands<Subcommand> = {
  list: { needs: [], run: list },
  create: { needs: [], run: create },
  revoke: { needs: ["ID"], run: revoke },
  link: { needs: [], run: link },
};

/** More than this nobody reads. */
const LIMIT = 1_000;

async function list(client: CoordinatorClient, { json }: Values<typeof options>): Promise<void> {
  const found = await listAll<TokenRecord>(client, "/tokens", "tokens", { most: LIMIT });
  if (json) return printJson({ tokens: found });
  const head = ["token", "scope", "kind", "name", "runner", "made with", "age", "used", "until"].map(
    (text): Cell => ({ text, style: bold }),
  );
  const rows = found.map((each): Cell[] => [
    each.token_id,
    each.scope,
    each.kind === "session" ? "page" : "token",
    each.name,
    boundTo(each),
    each.made_with ?? "-",
    ago(each.created_at),
    each.used_at === null ? "never" : `${ago(each.used_at)} ago`,
    each.expires_at ?? "it is revoked",
  ]);
  print(table([head, ...rows]));
}

/** Which runner a token is for. */
function boundTo({ scope, runner_name, runner_tags }: TokenRecord): string {
  if (scope !== "runner") return "-";
  const tags =
    runner_tags === null ? "any tags" : runner_tags.length === 0 ? "no tags" : runner_tags.join(",");
  return `${runner_name ?? "any name"} (${tags})`;
}

async function create(client: CoordinatorClient, values: Values<typeof options>): Promise<void> {
  const { name, scope = "", expires, json, "runner-name": runner_name, tag: tags } = values;
  if (name === undefined)
    throw new UsageError("a token needs a --name.", "Say what it is for: --name build-machine");
  if (!Object.hasOwn(SCOPES, scope)) {
    throw new UsageError(
      scope === "" ? "a token needs a --scope." : `there is no scope "${scope}".`,
      `${didYouMean(scope, Object.keys(SCOPES))}It is one of ${Object.keys(SCOPES).join(", ")}.`,
    );
  }
  if (scope !== "runner" && (runner_name !== undefined || tags.length > 0)) {
    throw new UsageError("--runner-name and --tag are for tokens with --scope runner.");
  }
  const made = await client.send<NewToken>("POST", "/tokens", {
    body: {
      name,
      scope,
      ...(expires !== undefined && { expires_in_seconds: secondsOf(expires) }),
      ...(runner_name !== undefined && { runner_name }),
      ...(tags.length > 0 && { runner_tags: tags }),
    },
  });
  if (json) return printJson(made);
  // The token alone, so that it can be piped to where it is kept.
  print(made.token);
  notify(`this is ${made.token_id}, with the scope ${made.scope}; it is not shown again`);
  if (made.expires_at !== null) notify(`it counts until ${made.expires_at}`);
}

async function revoke(
  client: CoordinatorClient,
  { json }: Values<typeof options>,
  id: string,
): Promise<void> {
  const { also } = await client.send<RevokedToken>("DELETE", `/tokens/${encodeURIComponent(id)}`);
  if (json) return printJson({ revoked: id, also });
  const others = [counted(also.tokens, "token"), counted(also.sessions, "session")].filter(Boolean);
  print(`${id} is revoked${others.length === 0 ? "" : `, and ${others.join(" and ")} that it made`}`);
}

function counted(count: number, noun: string): string {
  return count === 0 ? "" : `${count} ${noun}${count === 1 ? "" : "s"}`;
}

async function link(client: CoordinatorClient, { json }: Values<typeof options>): Promise<void> {
  const made = await client.send<LoginLink>("POST", "/login-links");
  if (json) return printJson(made);
  print(made.url);
  notify(`it opens the page once, until ${made.expires_at}`);
}

/** `30d` as seconds: as long from now as `since` would go back. */
function secondsOf(text: string): number {
  const seconds = Math.round(-since(text, 0) / 1_000);
  if (seconds > 0) return seconds;
  throw new UsageError(`--expires: "${text}" is no length of time.`, "Write how long, as 12h or 30d.");
}
