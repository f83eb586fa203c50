import { useEffect, useRef, useState } from "react";
import { isProblem, isWorthRetrying, readProblem } from "../api/problem.ts";
import { useWrite } from "../api/use-write.ts";
import { errorMessage } from "../components/error-message.ts";
import { type Draft, draftOf, invalidTexts } from "./draft.ts";
import type { EditTarget, SavedVersion } from "./edit-target.ts";
import { isSameJson, type JsonObject, valueAt } from "./json-object.ts";
import type { FieldProblem } from "./problems.ts";
import { readStoredEdit, type StoredEdit } from "./stored-edit.ts";
import { useStoredDraft } from "./use-stored-draft.ts";

interface Refusal {
  readonly path: string | undefined;
  readonly message: string;
  /** The refused value: the message disappears when the value changes. */
  readonly value: unknown;
}

export type Editing = ReturnType<typeof useEditing>;

/**
 * An edit, from reading to saving:
 *
 *     read ─ write ─ save ─ saved
 *                      ├─ refused: shown at the field
 *                      └─ conflict: `newer` is the version that was saved meanwhile; both are kept
 */
export function useEditing(target: EditTarget, mayChange: boolean) {
  const { address, saved, isDeleted, blank, problems, normal, save, reread, onSaved } = target;
  const store = useStoredDraft(mayChange ? address : undefined);
  const [stored] = useState(() => readStoredEdit(store.read(), saved === undefined));
  const [base, setBase] = useState(stored === undefined ? saved : stored.base);
  const [draft, setDraft] = useState<Draft>(() => stored?.draft ?? draftOf(saved?.value ?? blank));
  const [restoredAt, setRestoredAt] = useState(stored?.keptAt);
  const [refusal, setRefusal] = useState<Refusal>();
  const [isGone, setGone] = useState(false);
  const [isComparing, setComparing] = useState(false);
  const [showsMissing, setShowsMissing] = useState(false);
  // Read when the user leaves, possibly before the next render.
  const isSavedNow = useRef(false);

  const invalid = invalidTexts(draft);
  const isEdited = invalid.length > 0 || !isSameJson(normal(draft.value), normal(base?.value ?? blank));
  const found: readonly FieldProblem[] = [
    ...invalid.map((problem) => ({ ...problem, isMissing: false })),
    ...problems(draft.value),
  ];
  const isStillRefused =
    refusal !== undefined && isSameJson(refusal.value, valueAt(draft.value, refusal.path ?? ""));
  const newer =
    saved !== undefined && base !== undefined && saved.updatedAt > base.updatedAt && saved.etag !== base.etag
      ? saved
      : undefined;

  // The session may end while the user is editing.
  useEffect(() => {
    if (isEdited) store.write({ base: base ?? null, draft } satisfies StoredEdit);
    else store.forget();
  }, [isEdited, base, draft, store]);

  const reset = (from: SavedVersion) => {
    setBase(from);
    setDraft(draftOf(from.value));
    setRestoredAt(undefined);
    setRefusal(undefined);
    setComparing(false);
    setShowsMissing(false);
  };

  // Without local changes, the editor follows what others save.
  useEffect(() => {
    if (newer === undefined || isEdited) return;
    setBase(newer);
    setDraft(draftOf(newer.value));
  }, [newer, isEdited]);

  const saving = useWrite({
    mutationFn: async ({ asNew }: { readonly asNew: boolean }) => {
      setRefusal(undefined);
      const isNew = asNew || base === undefined;
      const headers = isNew ? { "If-None-Match": "*" } : { "If-Match": base.etag };
      return { isNew: base === undefined, now: await save(draft.value, headers) };
    },
    onSuccess: ({ isNew, now }) => {
      isSavedNow.current = true;
      store.forget();
      reset(now);
      setGone(false);
      onSaved(now, isNew);
      isSavedNow.current = isNew;
    },
    onError: async (error) => {
      const problem = readProblem(error);
      if (problem === undefined) return;
      const { code, field } = problem;
      if (code === "precondition_failed") {
        if (base === undefined) {
          setRefusal({ path: "name", message: "This name is already in use", value: draft.value.name });
          return;
        }
        await reread().then(
          () => setComparing(true),
          (reason) => setGone(isProblem(reason, "not_found")),
        );
        return;
      }
      setRefusal({ path: field, message: errorMessage(error), value: valueAt(draft.value, field ?? "") });
    },
  });

  return {
    draft,
    base,
    change: (edit: (draft: Draft) => Draft) => setDraft(edit),
    problems: found,
    /** The coordinator's message; without a path when it concerns the whole. */
    refusal: isStillRefused ? refusal : undefined,
    isEdited,
    isSavedNow,
    showsMissing,
    showMissing: () => setShowsMissing(true),
    /** Any other error, such as no response. */
    failure: isWorthRetrying(saving.error) ? saving.error : null,
    isSaving: saving.isPending,
    save: () => saving.mutate({ asNew: false }),
    saveAsNew: () => saving.mutate({ asNew: true }),
    /** When the user typed what was restored; `undefined` when nothing was. */
    restoredAt: isEdited ? restoredAt : undefined,
    closeRestored: () => setRestoredAt(undefined),
    /** The user leaves without saving. */
    forget: store.forget,
    discard: () => {
      setDraft(draftOf(base?.value ?? blank));
      setRestoredAt(undefined);
      setRefusal(undefined);
      setShowsMissing(false);
    },
    newer: isEdited ? newer : undefined,
    isGone: isGone || isDeleted,
    isComparing,
    compare: setComparing,
    takeTheirs: () => newer !== undefined && reset(newer),
    /** Continues from the newer version with a merged value. */
    applyToTheirs: (value: JsonObject) => {
      if (newer === undefined) return;
      setBase(newer);
      setDraft(draftOf(value));
      setComparing(false);
    },
  };
}
