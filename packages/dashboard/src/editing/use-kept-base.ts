import { useState } from "react";
import type { SavedVersion } from "./edit-target.ts";
import { keptEdit } from "./kept-edit.ts";
import { useKeptDraft } from "./use-kept-draft.ts";

/** The saved version that the user's draft at an address began from; undefined without a draft of something that was saved. */
export function useKeptBase(address: string, mayChange: boolean): SavedVersion | undefined {
  const keeper = useKeptDraft(mayChange ? address : undefined);
  const [base] = useState(() => keptEdit(keeper.read(), false)?.base);
  return base;
}
