/** The largest page of the coordinator. */
const MAX_PER_PAGE = 200;

/** The first `max` items of a list, from as many pages as needed. */
export async function listAll<Page extends { readonly next_cursor: string | null }, Item>(
  max: number,
  read: (paging: { readonly limit: number; readonly cursor: string | undefined }) => Promise<Page>,
  readItems: (page: Page) => readonly Item[],
): Promise<readonly Item[]> {
  const items: Item[] = [];
  let cursor: string | undefined;
  while (items.length < max) {
    const page = await read({ limit: Math.min(MAX_PER_PAGE, max - items.length), cursor });
    items.push(...readItems(page));
    if (page.next_cursor === null) break;
    cursor = page.next_cursor;
  }
  return items;
}
