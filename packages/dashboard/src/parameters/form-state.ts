import { createContext, useContext } from "react";
import type { Path } from "./form-values.ts";

/** What the fields of one form know of the whole. */
export interface FormState {
  /** Of the element that can be typed into, for labels and for the focus. */
  readonly idOf: (path: Path) => string;
  /** What is wrong there, when it is time to say so. */
  readonly messageAt: (path: Path) => string | undefined;
  /** Somebody has been there and left. */
  readonly onLeave: (path: Path) => void;
  /** What is written there as JSON has become valid, or is no longer. */
  readonly onValidity: (path: Path, isValid: boolean) => void;
}

export const FormStateContext = createContext<FormState | undefined>(undefined);

export function useFormState(): FormState {
  const state = useContext(FormStateContext);
  if (state === undefined) throw new Error("there is no form around this");
  return state;
}
