import { isRecord } from "@tenterhook/internal";

const PREFIX = "tenterhook.draft ";
/** A longer draft is not kept. */
const MAX_CHARACTERS = 250_000;
/** The drafts that were kept last, at most so many. */
const MAX_DRAFTS = 8;

/** What the user had typed, and when. */
export interface KeptDraft {
  readonly content: unknown;
  readonly keptAt: string;
}

export interface AddressedDraft extends KeptDraft {
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
 * has one draft, and a draft belongs to the user who typed it. Where the browser allows no storage, nothing is kept.
 */
export class KeptDrafts {
  readonly #open: () => TextStorage;

  constructor(open: () => TextStorage) {
    this.#open = open;
  }

  read(user: string, address: string): KeptDraft | undefined {
    return this.#try((storage) => {
      const kept = parsed(storage.getItem(PREFIX + address));
      return kept?.user === user ? { content: kept.content, keptAt: kept.keptAt } : undefined;
    });
  }

  /** All drafts of a user, with their addresses. */
  all(user: string): readonly AddressedDraft[] {
    const all = this.#try((storage) =>
      keysOf(storage).flatMap((key) => {
        const kept = parsed(storage.getItem(key));
        return kept?.user === user ? [{ ...kept, address: key.slice(PREFIX.length) }] : [];
      }),
    );
    return all ?? [];
  }

  keep(user: string, address: string, content: unknown): void {
    this.#try((storage) => {
      // Without the last version, which is no longer what the user sees, when this one cannot be kept.
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
      for (const key of keysOf(storage)) {
        if (parsed(storage.getItem(key))?.user !== user) storage.removeItem(key);
      }
    });
  }

  forgetAll(): void {
    this.#try((storage) => {
      for (const key of keysOf(storage)) storage.removeItem(key);
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

export const keptDrafts = new KeptDrafts(() => sessionStorage);

function keysOf(storage: TextStorage): string[] {
  return Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? "").filter((key) =>
    key.startsWith(PREFIX),
  );
}

/** Called at every key press, so drafts are read only when there are too many. */
function removeOldest(storage: TextStorage, most: number): void {
  const keys = keysOf(storage);
  if (keys.length <= most) return;
  const timeOf = (key: string) => parsed(storage.getItem(key))?.keptAt ?? "";
  const oldestFirst = keys.sort((one, other) => (timeOf(one) < timeOf(other) ? -1 : 1));
  for (const key of oldestFirst.slice(0, keys.length - most)) storage.removeItem(key);
}

function parsed(text: string | null): (KeptDraft & { readonly user: string }) | undefined {
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
