import { isRecord } from "@tenterhook/internal";
import type { Draft } from "./draft.ts";
import type { SavedVersion } from "./edit-target.ts";
import type { StoredDraft } from "./stored-drafts.ts";

/** A draft as it is stored: with the saved version that it began from, so that a conflict is still found. */
export interface StoredEdit {
  readonly base: SavedVersion | null;
  readonly draft: Draft;
}

/** The edit that was stored, and when, if it is one of something new or of something saved. */
export function readStoredEdit(stored: StoredDraft | undefined, isNew: boolean) {
  if (stored === undefined || !isStoredEdit(stored.content)) return undefined;
  const { base, draft } = stored.content;
  return (base === null) === isNew ? { base: base ?? undefined, draft, keptAt: stored.keptAt } : undefined;
}

// Another version of the page may have stored it.
function isStoredEdit(content: unknown): content is StoredEdit {
  if (!isRecord(content) || !isRecord(content.draft)) return false;
  const { base, draft } = content;
  return (
    [draft.value, draft.texts, draft.replaced].every(isRecord) &&
    (base === null ||
      (isRecord(base) &&
        isRecord(base.value) &&
        typeof base.etag === "string" &&
        typeof base.updatedAt === "string"))
  );
}
