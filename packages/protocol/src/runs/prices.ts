import { z } from "zod";

const price = z.number().min(0).max(1_000_000).describe("per million tokens");

/** What models cost, as the coordinator is configured. */
export const prices = z.strictObject({
  currency: z
    .string()
    .regex(/^[A-Z]{3}$/, "must be three capital letters, such as USD")
    .default("USD"),
  models: z
    .record(z.string().min(1).max(200), z.strictObject({ input: price, output: price }))
    .describe("by the model's id"),
});

export type Prices = z.output<typeof prices>;

/** What a model call used. */
export interface CallUsage {
  readonly model?: string | undefined;
  readonly input_tokens: number;
  readonly output_tokens: number;
}

/** What calls cost, in the currency of the prices. Undefined when one of their models has no price. */
export function costOf(usages: readonly CallUsage[], { models }: Prices): number | undefined {
  let cost = 0;
  for (const { model = "", input_tokens, output_tokens } of usages) {
    const price = Object.hasOwn(models, model) ? models[model] : undefined;
    if (price === undefined) return undefined;
    cost += (input_tokens * price.input + output_tokens * price.output) / 1_000_000;
  }
  return usages.length === 0 ? undefined : cost;
}
