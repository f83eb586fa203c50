import { type Prices, prices } from "@tenterhook/protocol/runs";

/** The prices as they are configured. Throws a `TypeError` that names the key which is wrong. */
export function readPrices(configured: unknown = { models: {} }): Prices {
  const { data, error } = prices.safeParse(configured);
  if (data !== undefined) return data;
  const issue = error?.issues[0];
  const unknown = issue?.code === "unrecognized_keys" ? issue.keys : [];
  const path = [...(issue?.path ?? []), ...unknown.slice(0, 1)].map(String).join(".");
  const problem = unknown.length > 0 ? "is not a key of prices" : (issue?.message ?? "is invalid");
  throw new TypeError(`prices${path === "" ? "" : `.${path}`}: ${problem}`);
}
