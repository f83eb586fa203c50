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
  /** What is only missing is told as wrong when somebody wanted to save. */
  readonly hasTried: boolean;
  readonly isReadOnly: boolean;
}

const EditorContext = createContext<EditorState | undefined>(undefined);
export const EditorProvider = EditorContext.Provider;

export function useEditor(): EditorState {
  const editor = useContext(EditorContext);
  if (editor === undefined) throw new Error("a field stands in an editor");
  return editor;
}

/** A field of what is edited: its value, what is wrong with it, and the way to change it. */
export function useField(path: string) {
  const { draft, change, problems, refusal, hasTried, isReadOnly } = useEditor();
  const problem = problemAt(problems, path);
  const isRefused = refusal?.path !== undefined && isWithin(refusal.path, path);
  const shown = problem !== undefined && (hasTried || !problem.isMissing) ? problem.message : undefined;
  return {
    id: fieldId(path),
    value: valueAt(draft.value, path),
    error: isReadOnly ? undefined : (shown ?? (isRefused ? refusal.message : undefined)),
    readOnly: isReadOnly,
    set: (value: unknown) => change((now) => withField(now, path, value)),
  };
}

/** The id of a field in the page, to bring people to it. */
export function fieldId(path: string): string {
  return `field-${path.replaceAll(/[^\w-]/g, "-")}`;
}
