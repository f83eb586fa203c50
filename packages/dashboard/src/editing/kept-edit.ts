import { isRecord } from "@tenterhook/internal";
import type { Draft } from "./draft.ts";
import type { SavedVersion } from "./edit-target.ts";
import type { KeptDraft } from "./kept-drafts.ts";

/** A draft as it is kept: with the saved version that it began from, so that a conflict is still found. */
export interface KeptEdit {
  readonly base: SavedVersion | null;
  readonly draft: Draft;
}

/** The edit that was kept, and when, if it is one of something new or of something saved. */
export function keptEdit(kept: KeptDraft | undefined, isNew: boolean) {
  if (kept === undefined || !isKeptEdit(kept.content)) return undefined;
  const { base, draft } = kept.content;
  return (base === null) === isNew ? { base: base ?? undefined, draft, keptAt: kept.keptAt } : undefined;
}

// Another version of the page may have kept it.
function isKeptEdit(content: unknown): content is KeptEdit {
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
