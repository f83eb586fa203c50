import type { CoordinatorClient } from "./coordinator-client.ts";

/** The largest page of the coordinator. */
const MAX_PER_PAGE = 200;

/** The first `max` items of a list, from as many pages as needed. */
export async function listAll<Item>(
  client: CoordinatorClient,
  path: string,
  field: string,
  { max, ...filters }: { readonly max: number; readonly [filter: string]: string | number | undefined },
): Promise<readonly Item[]> {
  const items: Item[] = [];
  let cursor: string | undefined;
  while (items.length < max) {
    const limit = Math.min(MAX_PER_PAGE, max - items.length);
    const page = await client.get<Record<string, unknown>>(path, { ...filters, limit, cursor });
    items.push(...(page[field] as readonly Item[]));
    if (typeof page.next_cursor !== "string") break;
    cursor = page.next_cursor;
  }
  return items;
}
