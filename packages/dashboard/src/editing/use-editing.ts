import { useMutation } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { isProblem, ProblemError } from "../api/problem-error.ts";
import { messageOf } from "../parts/problem-words.ts";
import { type Draft, draftOf, unreadTexts } from "./draft.ts";
import { isSameJson, type JsonObject, valueAt } from "./json-object.ts";
import type { FieldProblem } from "./problems.ts";

/** What somebody saved, as the editor needs it. */
export interface Saved {
  readonly value: JsonObject;
  readonly etag: string;
  readonly updatedAt: string;
}

/** Something that can be edited, and where it is kept. */
export interface Edited {
  /** As it was last read; `undefined` for something new. */
  readonly saved: Saved | undefined;
  /** What something new begins with. */
  readonly blank: JsonObject;
  readonly problems: (value: JsonObject) => readonly FieldProblem[];
  /** With everything that goes without saying, to compare it. */
  readonly normal: (value: JsonObject) => JsonObject;
  readonly save: (value: JsonObject, headers: Readonly<Record<string, string>>) => Promise<Saved>;
  /** Reads it again; fails with `not_found` when somebody has deleted it. */
  readonly reread: () => Promise<unknown>;
  readonly onSaved: (saved: Saved, isNew: boolean) => void;
}

interface Refusal {
  readonly path: string | undefined;
  readonly message: string;
  /** What was refused there: another value deserves another chance. */
  readonly value: unknown;
}

export type Editing = ReturnType<typeof useEditing>;

/**
 * An edit from the first letter to the save, beside those of others:
 *
 *     read ─ write ─ save ─ saved
 *                      ├─ refused: told at the field
 *                      └─ somebody was faster: `newer` is theirs, and nothing of either is lost
 */
export function useEditing({ saved, blank, problems, normal, save, reread, onSaved }: Edited) {
  const [base, setBase] = useState(saved);
  const [draft, setDraft] = useState<Draft>(() => draftOf(saved?.value ?? blank));
  const [refusal, setRefusal] = useState<Refusal>();
  const [isGone, setGone] = useState(false);
  const [isComparing, setComparing] = useState(false);
  const [hasTried, setTried] = useState(false);
  // Read when somebody leaves, which may be before the page is drawn again.
  const isSavedNow = useRef(false);

  const unread = unreadTexts(draft);
  const isEdited = unread.length > 0 || !isSameJson(normal(draft.value), normal(base?.value ?? blank));
  const found: readonly FieldProblem[] = [
    ...unread.map((problem) => ({ ...problem, isMissing: false })),
    ...problems(draft.value),
  ];
  const isStillRefused =
    refusal !== undefined && isSameJson(refusal.value, valueAt(draft.value, refusal.path ?? ""));
  const newer =
    saved !== undefined && base !== undefined && saved.updatedAt > base.updatedAt && saved.etag !== base.etag
      ? saved
      : undefined;

  const begin = (from: Saved) => {
    setBase(from);
    setDraft(draftOf(from.value));
    setRefusal(undefined);
    setComparing(false);
    setTried(false);
  };

  // Whoever has written nothing sees what others save.
  useEffect(() => {
    if (newer === undefined || isEdited) return;
    setBase(newer);
    setDraft(draftOf(newer.value));
  }, [newer, isEdited]);

  const saving = useMutation({
    mutationFn: async ({ asNew }: { readonly asNew: boolean }) => {
      setRefusal(undefined);
      const isNew = asNew || base === undefined;
      const headers = isNew ? { "If-None-Match": "*" } : { "If-Match": base.etag };
      return { isNew: base === undefined, now: await save(draft.value, headers) };
    },
    onSuccess: ({ isNew, now }) => {
      isSavedNow.current = true;
      begin(now);
      setGone(false);
      onSaved(now, isNew);
      isSavedNow.current = isNew;
    },
    onError: async (error) => {
      if (!(error instanceof ProblemError)) return;
      const { code, field } = error.problem;
      if (code === "precondition_failed") {
        if (base === undefined) {
          setRefusal({ path: "name", message: "There is one of this name already", value: draft.value.name });
          return;
        }
        await reread().then(
          () => setComparing(true),
          (problem) => setGone(isProblem(problem, "not_found")),
        );
        return;
      }
      setRefusal({ path: field, message: messageOf(error), value: valueAt(draft.value, field ?? "") });
    },
  });

  return {
    draft,
    base,
    change: (edit: (draft: Draft) => Draft) => setDraft(edit),
    problems: found,
    /** The coordinator's own words; without a path when they are about the whole. */
    refusal: isStillRefused ? refusal : undefined,
    isEdited,
    isSavedNow,
    hasTried,
    tryInVain: () => setTried(true),
    /** Something else went wrong: the coordinator does not answer, or may not do it. */
    failure: saving.error instanceof ProblemError && saving.error.problem.status < 500 ? null : saving.error,
    isSaving: saving.isPending,
    save: () => saving.mutate({ asNew: false }),
    saveAsNew: () => saving.mutate({ asNew: true }),
    discard: () => {
      setDraft(draftOf(base?.value ?? blank));
      setRefusal(undefined);
      setTried(false);
    },
    newer: isEdited ? newer : undefined,
    isGone,
    isComparing,
    compare: setComparing,
    takeTheirs: () => newer !== undefined && begin(newer),
    /** Goes on from their version, with this written on top. */
    putOnTop: (value: JsonObject) => {
      if (newer === undefined) return;
      setBase(newer);
      setDraft(draftOf(value));
      setComparing(false);
    },
  };
}
