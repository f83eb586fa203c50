import { typedCommand } from "@tenterhook/internal";
import type { WebhookKey } from "@tenterhook/protocol/runs";
import { defineCommand, type Values } from "../command.ts";
import { ACCESS_OPTIONS } from "../fleet/access.ts";
import { type ClientSubcommands, runSubcommand } from "../fleet/client-subcommands.ts";
import type { CoordinatorClient } from "../fleet/coordinator-client.ts";
import { textOf } from "../json-argument.ts";
import { notify, print, printJson } from "../terminal.ts";
import { UsageError } from "../usage-error.ts";

const options = ACCESS_OPTIONS;

/** An earlier name of `tokens webhook-key`. */
export const webhookKey = defineCommand({
  usage: "webhook-key [show | rotate | set @FILE | retire]",
  about:
    "Manages the key that signs webhooks. Requires an administrator's token.\n" +
    "rotate creates a new key, set imports one. The previous key then also signs, so that receivers can change one after\n" +
    "another; retire ends that. A key is given as @FILE, or as - for standard input, never on the command line.",
  options,
  arguments: { min: 0, max: 2 },
  examples: [
    { command: "tenterhook webhook-key", means: "print the key" },
    { command: "tenterhook webhook-key rotate", means: "create a new key; both keys sign now" },
    { command: "tenterhook webhook-key retire", means: "stop signing with the previous key" },
    { command: "tenterhook webhook-key set @/run/secrets/webhook-key", means: "import a key" },
  ],
  run: (values, args) =>
    runSubcommand("webhook-key", KEY_SUBCOMMANDS, values, args.length === 0 ? ["show"] : args),
});

export const KEY_SUBCOMMANDS: ClientSubcommands<Values<typeof options>> = {
  show: { needs: [], run: async (client, values) => printKey(await client.webhookKey.read(), values) },
  rotate: { needs: [], run: (client, values) => change(client, values, {}) },
  set: { needs: ["@FILE"], run: set },
  retire: {
    needs: [],
    run: async (client, values) => printKey(await client.webhookKey.retirePrevious(), values),
  },
};

async function set(client: CoordinatorClient, values: Values<typeof options>, arg: string): Promise<void> {
  if (arg !== "-" && !arg.startsWith("@")) {
    throw new UsageError(
      "a key does not belong on the command line, where other users can read it.",
      "Use @FILE, or - for standard input.",
    );
  }
  await change(client, values, { key: (await textOf(arg, "the key")).trim() });
}

async function change(
  client: CoordinatorClient,
  values: Values<typeof options>,
  body: object,
): Promise<void> {
  printKey(await client.webhookKey.rotate(body), values);
}

function printKey(keys: WebhookKey, { json }: Values<typeof options>): void {
  if (json) {
    printJson(keys);
    return;
  }
  // The key alone, so that it can be piped to a secret store.
  print(keys.key);
  if (keys.previous_key !== null)
    notify(`the previous key also signs, until: ${typedCommand()} tokens webhook-key retire`);
}
