import type { CoordinatorClient } from "./coordinator-client.ts";

/** The most that the coordinator puts on one page. */
const MAX_PER_PAGE = 200;

/** A list's first so many, over as many pages as it takes. */
export async function listAll<Item>(
  client: CoordinatorClient,
  path: string,
  field: string,
  { most, ...filters }: { readonly most: number; readonly [filter: string]: string | number | undefined },
): Promise<readonly Item[]> {
  const items: Item[] = [];
  let cursor: string | undefined;
  while (items.length < most) {
    const limit = Math.min(MAX_PER_PAGE, most - items.length);
    const page = await client.get<Record<string, unknown>>(path, { ...filters, limit, cursor });
    items.push(...(page[field] as readonly Item[]));
    if (typeof page.next_cursor !== "string") break;
    cursor = page.next_cursor;
  }
  return items;
}
