import { expect, test } from "vitest";
import { StoredDrafts, type TextStorage } from "./stored-drafts.ts";

/** As a browser's, with room for so many characters. */
function storageOf(room = Number.POSITIVE_INFINITY): TextStorage {
  const items = new Map<string, string>();
  return {
    get length() {
      return items.size;
    },
    key: (index) => [...items.keys()][index] ?? null,
    getItem: (key) => items.get(key) ?? null,
    setItem(key, value) {
      if (value.length > room) throw new DOMException("no room", "QuotaExceededError");
      items.set(key, value);
    },
    removeItem: (key) => void items.delete(key),
  };
}

const draft = (text: string) => ({ text });

test("a draft is read by the user who typed it, at its address, and by no other", () => {
  const drafts = new StoredDrafts(() => storage);
  const storage = storageOf();
  drafts.write("ana", "/agents/a", draft("one"));
  drafts.write("ana", "/agents/a", draft("two"));
  expect(drafts.read("ana", "/agents/a")?.content).toEqual(draft("two"));
  expect(drafts.read("ana", "/agents/b")).toBeUndefined();
  expect(drafts.read("bob", "/agents/a")).toBeUndefined();
  expect(drafts.all("ana")).toMatchObject([{ address: "/agents/a", content: draft("two") }]);
  expect(drafts.all("bob")).toEqual([]);
  drafts.forgetOthers("bob");
  expect(storage.length).toBe(0);
});

test("a draft that is too long is not kept, and neither is its last version", () => {
  const drafts = new StoredDrafts(() => storage);
  const storage = storageOf();
  drafts.write("ana", "/agents/a", draft("short"));
  drafts.write("ana", "/agents/a", draft("x".repeat(300_000)));
  expect(drafts.read("ana", "/agents/a")).toBeUndefined();
});

test("the oldest drafts make room for new ones", () => {
  const drafts = new StoredDrafts(() => storage);
  const storage = storageOf();
  storage.setItem("of another program", "stays");
  for (let n = 0; n < 20; n++) drafts.write("ana", `/agents/${n}`, draft(String(n)));
  expect(storage.length).toBe(9);
  expect(drafts.read("ana", "/agents/19")?.content).toEqual(draft("19"));
  drafts.forgetAll();
  expect(storage.getItem("of another program")).toBe("stays");
  expect(storage.length).toBe(1);
});

test("a browser without storage or room, and a text of another program, are no error", () => {
  const forbidden = new StoredDrafts(() => {
    throw new DOMException("forbidden", "SecurityError");
  });
  forbidden.write("ana", "/agents/a", draft("one"));
  expect(forbidden.read("ana", "/agents/a")).toBeUndefined();
  const full = new StoredDrafts(() => small);
  const small = storageOf(10);
  full.write("ana", "/agents/a", draft("one"));
  expect(full.read("ana", "/agents/a")).toBeUndefined();
  small.setItem("tenterhook.draft /agents/a", "{oh");
  expect(full.read("ana", "/agents/a")).toBeUndefined();
});
