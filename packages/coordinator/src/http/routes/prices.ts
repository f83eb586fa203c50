import { prices as pricesSchema } from "@tenterhook/protocol/runs";
import { type Operation, operation } from "../operation.ts";
import type { Services } from "../services.ts";

/** Prices of models, for clients that show costs. */
export function prices({ prices: configured }: Services): Operation[] {
  const read = operation(
    "GET /prices",
    {
      permission: "review",
      summary: "Read what models cost, per million tokens",
      responses: { 200: pricesSchema },
    },
    async () => ({ status: 200, body: configured }),
  );
  return [read];
}
