import type { Client } from "@tenterhook/bridges";
import { CLIENTS, loadClients } from "@tenterhook/bridges/clients";
import { didYouMean, nearestWord } from "@tenterhook/internal";
import { UsageError } from "../usage-error.ts";

/** The clients of some names, each once. A name is an id, or another name of the client. Throws a `UsageError` for an unknown one. */
export async function namedClients(names: readonly string[]): Promise<readonly Client[]> {
  if (names.length === 0) return [];
  const clients = await loadClients();
  return [...new Set(names.map((name) => namedClient(name, clients)))];
}

function namedClient(name: string, clients: readonly Client[]): Client {
  const wanted = plain(name);
  const found = clients.find((client) => listNames(client).some((each) => plain(each) === wanted));
  if (found !== undefined && wanted !== "") return found;
  const nearest = nearestWord(name, clients.flatMap(listNames));
  const meant = clients.find((client) => nearest !== undefined && listNames(client).includes(nearest));
  const known = Object.keys(CLIENTS);
  const hint = meant === undefined ? didYouMean(name, known) : `Did you mean ${meant.id}?`;
  throw new UsageError(`unknown coding agent "${name}".`, `${hint} Known: ${known.join(", ")}.`.trimStart());
}

function listNames({ id, name, aliases }: Client): readonly string[] {
  return [id, name, ...aliases];
}

/** Case, spaces and dashes do not count. */
function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "");
}
