import type { WebhookKey } from "@tenterhook/protocol/runs";
import { type Actions, chooseAction } from "../actions.ts";
import { ACCESS_OPTIONS, findAccess } from "../fleet/access.ts";
import { CoordinatorClient } from "../fleet/coordinator-client.ts";
import { textOf } from "../json-word.ts";
import { print, printJson, say } from "../terminal.ts";
import { UsageError } from "../usage-error.ts";
import { defineVerb, EXIT, type Values } from "../verb.ts";

const options = ACCESS_OPTIONS;

export const webhookKey = defineVerb({
  usage: "webhook-key [show | rotate | set @FILE | retire]",
  about:
    "The key that signs webhooks, for their receivers. It takes an administrator's token.\n" +
    "rotate makes a new key and set takes one over. The key before signs as well from then on, so that receivers can change\n" +
    "one after another; retire ends that. A key is given as @FILE, or as - for standard input, never on the command line.",
  options,
  words: { least: 0, most: 2 },
  examples: [
    { command: "tenterhook webhook-key", means: "print the key" },
    { command: "tenterhook webhook-key rotate", means: "print a new one; both sign now" },
    { command: "tenterhook webhook-key retire", means: "when all receivers have the new one" },
    { command: "tenterhook webhook-key set @/run/secrets/webhook-key", means: "sign with a key of your own" },
  ],
  async run(values, words) {
    const action = chooseAction("webhook-key", ACTIONS, words.length === 0 ? ["show"] : words);
    await action.run(new CoordinatorClient(findAccess(values)), values, action.words[0] ?? "");
    return EXIT.ok;
  },
});

type Action = (client: CoordinatorClient, values: Values<typeof options>, word: string) => Promise<void>;

const ACTIONS: Actions<Action> = {
  show: { needs: [], run: async (client, values) => tell(await client.get("/webhook-key"), values) },
  rotate: { needs: [], run: (client, values) => change(client, values, {}) },
  set: { needs: ["@FILE"], run: set },
  retire: {
    needs: [],
    run: async (client, values) => tell(await client.ask("DELETE", "/webhook-key/previous"), values),
  },
};

async function set(client: CoordinatorClient, values: Values<typeof options>, word: string): Promise<void> {
  if (word !== "-" && !word.startsWith("@")) {
    throw new UsageError(
      "a key does not belong on the command line, where other users can read it.",
      "Give it as @FILE, or as - for standard input.",
    );
  }
  await change(client, values, { key: (await textOf(word, "the key")).trim() });
}

async function change(
  client: CoordinatorClient,
  values: Values<typeof options>,
  body: object,
): Promise<void> {
  tell(await client.ask<WebhookKey>("POST", "/webhook-key/rotate", { body }), values);
}

function tell(keys: WebhookKey, { json }: Values<typeof options>): void {
  if (json) {
    printJson(keys);
    return;
  }
  // The key alone, so that it can be piped to where it is kept.
  print(keys.key);
  if (keys.previous_key !== null) say("the key before signs as well, until: tenterhook webhook-key retire");
}
