import { z } from "zod";
import { LONGEST_WAIT_SECONDS } from "./long-polls.ts";

/** The id in an address. */
export const idParameter = z.strictObject({ id: z.string().max(100) });

/** How long a client is willing to wait; the server's limit may be shorter. */
export function waitSeconds(forWhat: string, defaultSeconds = 0) {
  return z.coerce
    .number()
    .min(0)
    .default(defaultSeconds)
    .transform((seconds) => Math.min(seconds, LONGEST_WAIT_SECONDS))
    .describe(`how many seconds to wait for ${forWhat}`);
}
