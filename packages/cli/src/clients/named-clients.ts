import type { Client } from "@tenterhook/bridges";
import { CLIENTS, loadClient } from "@tenterhook/bridges/clients";
import { didYouMean } from "@tenterhook/protocol";
import { UsageError } from "../usage-error.ts";

/** The clients of some names. Throws a `UsageError` for one that is not known. */
export async function namedClients(names: readonly string[]): Promise<readonly Client[]> {
  return Promise.all([...new Set(names)].map(namedClient));
}

async function namedClient(name: string): Promise<Client> {
  const client = await loadClient(name.toLowerCase());
  if (client !== undefined) return client;
  const known = Object.keys(CLIENTS);
  throw new UsageError(
    `unknown coding agent "${name}".`,
    `${didYouMean(name, known)} Known: ${known.join(", ")}.`.trimStart(),
  );
}
