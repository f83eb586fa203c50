import { createContext, useContext } from "react";
import { type Draft, withField } from "./draft.ts";
import { valueAt } from "./json-object.ts";
import { type FieldProblem, isWithin, problemAt } from "./problems.ts";
import type { Editing } from "./use-editing.ts";

interface EditorState {
  readonly draft: Draft;
  readonly change: (edit: (draft: Draft) => Draft) => void;
  readonly problems: readonly FieldProblem[];
  readonly refusal: Editing["refusal"];
  /** Missing values are shown as errors after the first attempt to save. */
  readonly showsMissing: boolean;
  readonly isReadOnly: boolean;
}

const EditorContext = createContext<EditorState | undefined>(undefined);
export const EditorProvider = EditorContext.Provider;

export function useEditor(): EditorState {
  const editor = useContext(EditorContext);
  if (editor === undefined) throw new Error("useEditor needs an EditorProvider");
  return editor;
}

/** A field of the draft: its value, its error, and a function to change it. */
export function useField(path: string) {
  const { draft, change, problems, refusal, showsMissing, isReadOnly } = useEditor();
  const problem = problemAt(problems, path);
  const isRefused = refusal?.path !== undefined && isWithin(refusal.path, path);
  const shown = problem !== undefined && (showsMissing || !problem.isMissing) ? problem.message : undefined;
  return {
    id: fieldId(path),
    value: valueAt(draft.value, path),
    error: isReadOnly ? undefined : (shown ?? (isRefused ? refusal.message : undefined)),
    readOnly: isReadOnly,
    set: (value: unknown) => change((now) => withField(now, path, value)),
  };
}

/** The id of a field's element, to focus it. */
export function fieldId(path: string): string {
  return `field-${path.replaceAll(/[^\w-]/g, "-")}`;
}
