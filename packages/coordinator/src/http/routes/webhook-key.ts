import { rotateKeyRequest, webhookKey } from "@tenterhook/protocol/runs";
import { type Operation, operation } from "../operation.ts";
import type { Services } from "../services.ts";

/** The key that signs webhooks, for receivers that verify them. */
export function webhookKeys({ signingKeys }: Services): Operation[] {
  const show = operation(
    "GET /webhook-key",
    {
      permission: "administer",
      summary: "Read the key that signs webhooks",
      responses: { 200: webhookKey },
    },
    async () => ({ status: 200, body: await signingKeys.read() }),
  );

  const rotate = operation(
    "POST /webhook-key/rotate",
    {
      permission: "administer",
      summary: "Sign webhooks with a new key, and with the one before until that is retired",
      body: rotateKeyRequest,
      responses: { 200: webhookKey },
    },
    async ({ body: { key } }) => ({ status: 200, body: await signingKeys.rotate(key) }),
  );

  const retire = operation(
    "DELETE /webhook-key/previous",
    {
      permission: "administer",
      summary: "Sign webhooks with the newest key only",
      responses: { 200: webhookKey },
    },
    async () => ({ status: 200, body: await signingKeys.retire() }),
  );

  return [show, rotate, retire];
}
