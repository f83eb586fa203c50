import { useEffect, useRef, useState } from "react";
import { isProblem, ProblemError } from "../api/problem-error.ts";
import { useWrite } from "../api/use-write.ts";
import { errorMessage } from "../components/error-message.ts";
import { type Draft, draftOf, invalidTexts } from "./draft.ts";
import { isSameJson, type JsonObject, valueAt } from "./json-object.ts";
import type { FieldProblem } from "./problems.ts";

/** A saved version, as the editor needs it. */
export interface SavedVersion {
  readonly value: JsonObject;
  readonly etag: string;
  readonly updatedAt: string;
}

/** What is edited: an agent or a hook. */
export interface EditTarget {
  /** As it was last read; `undefined` when it is new. */
  readonly saved: SavedVersion | undefined;
  /** Another user has deleted it since it was read. */
  readonly isDeleted: boolean;
  /** The initial value of a new one. */
  readonly blank: JsonObject;
  readonly problems: (value: JsonObject) => readonly FieldProblem[];
  /** The value with all defaults, for comparisons. */
  readonly normal: (value: JsonObject) => JsonObject;
  readonly save: (value: JsonObject, headers: Readonly<Record<string, string>>) => Promise<SavedVersion>;
  /** Reads it again; fails with `not_found` when it was deleted. */
  readonly reread: () => Promise<unknown>;
  readonly onSaved: (saved: SavedVersion, isNew: boolean) => void;
}

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
export function useEditing(target: EditTarget) {
  const { saved, isDeleted, blank, problems, normal, save, reread, onSaved } = target;
  const [base, setBase] = useState(saved);
  const [draft, setDraft] = useState<Draft>(() => draftOf(saved?.value ?? blank));
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

  const reset = (from: SavedVersion) => {
    setBase(from);
    setDraft(draftOf(from.value));
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
      reset(now);
      setGone(false);
      onSaved(now, isNew);
      isSavedNow.current = isNew;
    },
    onError: async (error) => {
      if (!(error instanceof ProblemError)) return;
      const { code, field } = error.problem;
      if (code === "precondition_failed") {
        if (base === undefined) {
          setRefusal({ path: "name", message: "This name is already in use", value: draft.value.name });
          return;
        }
        await reread().then(
          () => setComparing(true),
          (problem) => setGone(isProblem(problem, "not_found")),
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
    failure: saving.error instanceof ProblemError && saving.error.problem.status < 500 ? null : saving.error,
    isSaving: saving.isPending,
    save: () => saving.mutate({ asNew: false }),
    saveAsNew: () => saving.mutate({ asNew: true }),
    discard: () => {
      setDraft(draftOf(base?.value ?? blank));
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
