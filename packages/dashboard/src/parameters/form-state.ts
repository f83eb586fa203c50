import { createContext, useContext } from "react";
import type { Path } from "./form-values.ts";

/** What the fields of a form share. */
export interface FormState {
  /** The id of the input element, for labels and for the focus. */
  readonly idOf: (path: Path) => string;
  /** The error to show at the field, if any. */
  readonly messageAt: (path: Path) => string | undefined;
  /** Called when the user has left the field. */
  readonly onLeave: (path: Path) => void;
  /** Called with every change of the field's JSON. */
  readonly onValidity: (path: Path, isValid: boolean, text: string) => void;
  /** The text of the field if it is not valid JSON. */
  readonly invalidTextAt: (path: Path) => string | undefined;
}

export const FormStateContext = createContext<FormState | undefined>(undefined);

export function useFormState(): FormState {
  const state = useContext(FormStateContext);
  if (state === undefined) throw new Error("useFormState needs a ParametersForm");
  return state;
}
