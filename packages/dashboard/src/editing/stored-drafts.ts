import { isRecord } from "@tenterhook/internal";

const PREFIX = "tenterhook.draft ";
/** A longer draft is not stored. */
const MAX_CHARACTERS = 250_000;
/** The drafts that were stored last, at most so many. */
const MAX_DRAFTS = 8;

/** What the user had typed, and when. */
export interface StoredDraft {
  readonly content: unknown;
  readonly keptAt: string;
}

export interface AddressedDraft extends StoredDraft {
  readonly address: string;
}

/** What drafts need of the browser's `sessionStorage`. */
export interface TextStorage {
  readonly length: number;
  key(index: number): string | null;
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

/**
 * Keeps what the user types in this tab of the browser until it is saved or discarded, because a session may end before. Each address
 * has one draft, and a draft belongs to the user who typed it. Where the browser allows no storage, nothing is stored.
 */
export class StoredDrafts {
  readonly #open: () => TextStorage;

  constructor(open: () => TextStorage) {
    this.#open = open;
  }

  read(user: string, address: string): StoredDraft | undefined {
    return this.#try((storage) => {
      const stored = parsed(storage.getItem(PREFIX + address));
      return stored?.user === user ? { content: stored.content, keptAt: stored.keptAt } : undefined;
    });
  }

  /** All drafts of a user, with their addresses. */
  all(user: string): readonly AddressedDraft[] {
    const all = this.#try((storage) =>
      listKeys(storage).flatMap((key) => {
        const stored = parsed(storage.getItem(key));
        return stored?.user === user ? [{ ...stored, address: key.slice(PREFIX.length) }] : [];
      }),
    );
    return all ?? [];
  }

  write(user: string, address: string, content: unknown): void {
    this.#try((storage) => {
      // Without the last version, which is no longer what the user sees, when this one cannot be stored.
      storage.removeItem(PREFIX + address);
      const text = JSON.stringify({ user, keptAt: new Date().toISOString(), content });
      if (text.length > MAX_CHARACTERS) return;
      removeOldest(storage, MAX_DRAFTS - 1);
      storage.setItem(PREFIX + address, text);
    });
  }

  forget(address: string): void {
    this.#try((storage) => storage.removeItem(PREFIX + address));
  }

  /** Removes the drafts of all other users. */
  forgetOthers(user: string): void {
    this.#try((storage) => {
      for (const key of listKeys(storage)) {
        if (parsed(storage.getItem(key))?.user !== user) storage.removeItem(key);
      }
    });
  }

  forgetAll(): void {
    this.#try((storage) => {
      for (const key of listKeys(storage)) storage.removeItem(key);
    });
  }

  /** Browsers may forbid storage, or have no room. */
  #try<R>(use: (storage: TextStorage) => R): R | undefined {
    try {
      return use(this.#open());
    } catch {
      return undefined;
    }
  }
}

export const storedDrafts = new StoredDrafts(() => sessionStorage);

function listKeys(storage: TextStorage): string[] {
  return Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? "").filter((key) =>
    key.startsWith(PREFIX),
  );
}

/** Called at every key press, so drafts are read only when there are too many. */
function removeOldest(storage: TextStorage, most: number): void {
  const keys = listKeys(storage);
  if (keys.length <= most) return;
  const timeOf = (key: string) => parsed(storage.getItem(key))?.keptAt ?? "";
  const oldestFirst = keys.sort((one, other) => (timeOf(one) < timeOf(other) ? -1 : 1));
  for (const key of oldestFirst.slice(0, keys.length - most)) storage.removeItem(key);
}

function parsed(text: string | null): (StoredDraft & { readonly user: string }) | undefined {
  if (text === null) return undefined;
  try {
    const { user, keptAt, content } = JSON.parse(text);
    return typeof user === "string" && typeof keptAt === "string" && isRecord(content)
      ? { user, keptAt, content }
      : undefined;
  } catch {
    return undefined;
  }
}
