import { didYouMean } from "@tenterhook/internal";
import type { PAGE_SCOPES, Scope, TokenRecord } from "@tenterhook/protocol/runs";
import { ago } from "../ago.ts";
import { since } from "../audit/since.ts";
import { defineCommand, option, type Values } from "../command.ts";
import { ACCESS_OPTIONS } from "../fleet/access.ts";
import {
  type ClientSubcommands,
  type CoordinatorClient,
  listAll,
  runSubcommand,
} from "../fleet/coordinator-client.ts";
import { chooseSubcommand } from "../read-arguments.ts";
import { type Cell, count, notify, print, printJson, titledTable } from "../terminal.ts";
import { UsageError } from "../usage-error.ts";

const SCOPES: Readonly<Record<Scope, string>> = {
  admin: "everything",
  client: "read; start, stop and resume runs",
  reviewer: "decide approvals; read them and their runs",
  runner: "execute runs",
  viewer: "read",
};

const options = {
  ...ACCESS_OPTIONS,
  name: option.text("N", "create: a name for the token; link: the name of the person"),
  scope: option.text(
    "S",
    "create: admin, client, reviewer, runner or viewer; link: the same but runner (default: your own)",
  ),
  expires: option.text("T", "create: the lifetime, such as 12h or 30d (default: that of the creating token)"),
  "runner-name": option.text("N", "create, scope runner: the only runner name it may register"),
  tag: option.list("T", "create, scope runner: the only tags it may register; repeatable"),
  "even-last-admin": option.flag("revoke: also when no token with the scope admin remains"),
} as const;

export const tokens = defineCommand({
  usage:
    "tokens [list | create --name N --scope S [--expires T] [--runner-name N] [--tag T]… | revoke ID [--even-last-admin] | link [--name N] [--scope S] | webhook-key [show | rotate | set @FILE | retire]]",
  about:
    "Manages the access tokens of a coordinator. A token is shown only when it is created: only its hash is stored.\n" +
    "Revoking a token also revokes the tokens and sessions that were created with it.\n" +
    `Scopes: ${Object.entries(SCOPES)
      .map(([scope, may]) => `${scope} (${may})`)
      .join(", ")}.\n` +
    "webhook-key manages the key that signs webhooks: rotate creates a new one, set imports one. The previous key then also signs,\n" +
    "so that receivers can change one after another; retire ends that. A key is given as @FILE, or as - for standard input.\n" +
    "link prints a sign-in link for the dashboard, which works once, with your own scope or a smaller one. Decisions, stops and\n" +
    "edits show the name of the link, or of the token if it has none.",
  options,
  arguments: { min: 0, max: 3 },
  examples: [
    {
      command: "tenterhook tokens create --name build-machine --scope runner --expires 90d",
      means: "for a runner",
    },
    {
      command: "tenterhook tokens create --name gpu --scope runner --runner-name gpu-1 --tag gpu",
      means: "for one runner",
    },
    {
      command: "tenterhook tokens revoke tok_…",
      means: "revoke it and what was created with it, within two seconds",
    },
    { command: "tenterhook tokens link --name ana", means: "a sign-in link for ana, with your own scope" },
    {
      command: "tenterhook tokens link --scope viewer --name ana",
      means: "a sign-in link for ana, who may only read",
    },
    { command: "tenterhook tokens webhook-key", means: "print the key that signs webhooks" },
    { command: "tenterhook tokens webhook-key rotate", means: "create a new key; both keys sign now" },
  ],
  run: (values, args) => runSubcommand("tokens", SUBCOMMANDS, values, args),
});

const SUBCOMMANDS: ClientSubcommands<Values<typeof options>> = {
  list: { needs: [], run: list },
  create: { needs: [], run: create },
  revoke: { needs: ["ID"], run: revoke },
  link: { needs: [], run: link },
  "webhook-key": { needs: [], more: "show | rotate | set @FILE | retire", run: changeWebhookKey },
};

/** At most this many tokens are listed. */
const LIMIT = 1_000;

async function list(client: CoordinatorClient, { json }: Values<typeof options>): Promise<void> {
  const found = await listAll(
    LIMIT,
    (paging) => client.tokens.list(paging),
    (page) => page.tokens,
  );
  if (json) return printJson({ tokens: found });
  const titles = ["token", "scope", "kind", "name", "runner", "created with", "age", "used", "expires"];
  const rows = found.map((each): Cell[] => [
    each.token_id,
    each.scope,
    each.kind === "session" ? "page" : "token",
    each.name,
    boundTo(each),
    each.made_with ?? "-",
    ago(each.created_at),
    each.used_at === null ? "never" : `${ago(each.used_at)} ago`,
    each.expires_at ?? "never",
  ]);
  print(titledTable(titles, rows));
}

/** The runner that a token is limited to. */
function boundTo({ scope, runner_name, runner_tags }: TokenRecord): string {
  if (scope !== "runner") return "-";
  const tags =
    runner_tags === null ? "any tags" : runner_tags.length === 0 ? "no tags" : runner_tags.join(",");
  return `${runner_name ?? "any name"} (${tags})`;
}

async function create(client: CoordinatorClient, values: Values<typeof options>): Promise<void> {
  const { name, scope = "", expires, json, "runner-name": runner_name, tag: tags } = values;
  if (name === undefined) throw new UsageError("a token needs a --name.", "Example: --name build-machine");
  checkScope(scope, "a token needs a --scope.", Object.keys(SCOPES));
  if (scope !== "runner" && (runner_name !== undefined || tags.length > 0)) {
    throw new UsageError("--runner-name and --tag are only for tokens with --scope runner.");
  }
  const created = await client.tokens.create({
    name,
    scope: scope as Scope,
    ...(expires !== undefined && { expires_in_seconds: parseSeconds(expires) }),
    ...(runner_name !== undefined && { runner_name }),
    ...(tags.length > 0 && { runner_tags: [...tags] }),
  });
  if (json) return printJson(created);
  // The token alone, so that it can be piped to a secret store.
  print(created.token);
  notify(`${created.token_id}, scope ${created.scope}; it is not shown again`);
  if (created.expires_at !== null) notify(`expires ${created.expires_at}`);
}

async function revoke(
  client: CoordinatorClient,
  { json, "even-last-admin": evenLastAdmin }: Values<typeof options>,
  id: string,
): Promise<void> {
  const { also } = await client.tokens.revoke(id, evenLastAdmin ? { even_last_admin: "true" } : {});
  if (json) return printJson({ revoked: id, also });
  const others = [
    ...(also.tokens > 0 ? [count(also.tokens, "token")] : []),
    ...(also.sessions > 0 ? [count(also.sessions, "session")] : []),
  ];
  print(`${id} revoked${others.length === 0 ? "" : `, with ${others.join(" and ")} created with it`}`);
}

async function link(client: CoordinatorClient, { json, name, scope }: Values<typeof options>): Promise<void> {
  const known = Object.keys(SCOPES).filter((each) => each !== "runner");
  if (scope !== undefined) checkScope(scope, "--scope is empty.", known);
  const created = await client.access.createLoginLink({
    name,
    scope: scope as (typeof PAGE_SCOPES)[number] | undefined,
  });
  if (json) return printJson(created);
  print(created.url);
  notify(`${scope === undefined ? "" : `scope ${scope}; `}works once, until ${created.expires_at}`);
}

async function changeWebhookKey(
  client: CoordinatorClient,
  values: Values<typeof options>,
  action: string,
  more: readonly string[],
): Promise<void> {
  const { KEY_SUBCOMMANDS } = await import("../fleet/webhook-key.ts");
  const { run, args } = chooseSubcommand("tokens webhook-key", KEY_SUBCOMMANDS, [action || "show", ...more]);
  const [first = "", ...rest] = args;
  await run(client, values, first, rest);
}

function checkScope(scope: string, missing: string, known: readonly string[]): void {
  if (known.includes(scope)) return;
  const message =
    scope === "runner"
      ? "a link is for a person, and the scope runner for programs."
      : `unknown scope "${scope}".`;
  throw new UsageError(
    scope === "" ? missing : message,
    `${didYouMean(scope, known)} Known: ${known.join(", ")}.`.trimStart(),
  );
}

/** `30d` as seconds. */
function parseSeconds(text: string): number {
  const seconds = Math.round(-since(text, 0) / 1_000);
  if (seconds > 0) return seconds;
  throw new UsageError(`--expires: "${text}" is not a duration.`, "Use a duration such as 12h or 30d.");
}
