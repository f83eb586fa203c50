import { useState } from "react";
import type { SavedVersion } from "./edit-target.ts";
import { readStoredEdit } from "./stored-edit.ts";
import { useStoredDraft } from "./use-stored-draft.ts";

/** The saved version that the user's draft at an address began from; undefined without a draft of something that was saved. */
export function useStoredBase(address: string, mayChange: boolean): SavedVersion | undefined {
  const store = useStoredDraft(mayChange ? address : undefined);
  const [base] = useState(() => readStoredEdit(store.read(), false)?.base);
  return base;
}
