import { typedCommand } from "@tenterhook/internal";
import type { WebhookKey } from "@tenterhook/protocol/runs";
import { textOf } from "../json-argument.ts";
import { notify, print, printJson } from "../terminal.ts";
import { UsageError } from "../usage-error.ts";
import type { ClientSubcommands, CoordinatorClient } from "./coordinator-client.ts";

interface KeyOptions {
  readonly json: boolean;
}

/** The subcommands of `tokens webhook-key`. */
export const KEY_SUBCOMMANDS: ClientSubcommands<KeyOptions> = {
  show: { needs: [], run: async (client, values) => printKey(await client.webhookKey.read(), values) },
  rotate: { needs: [], run: (client, values) => change(client, values, {}) },
  set: { needs: ["@FILE"], run: set },
  retire: {
    needs: [],
    run: async (client, values) => printKey(await client.webhookKey.retirePrevious(), values),
  },
};

async function set(client: CoordinatorClient, values: KeyOptions, arg: string): Promise<void> {
  if (arg !== "-" && !arg.startsWith("@")) {
    throw new UsageError(
      "a key does not belong on the command line, where other users can read it.",
      "Use @FILE, or - for standard input.",
    );
  }
  await change(client, values, { key: (await textOf(arg, "the key")).trim() });
}

async function change(client: CoordinatorClient, values: KeyOptions, body: object): Promise<void> {
  printKey(await client.webhookKey.rotate(body), values);
}

function printKey(keys: WebhookKey, { json }: KeyOptions): void {
  if (json) {
    printJson(keys);
    return;
  }
  // The key alone, so that it can be piped to a secret store.
  print(keys.key);
  if (keys.previous_key !== null)
    notify(`the previous key also signs, until: ${typedCommand()} tokens webhook-key retire`);
}
