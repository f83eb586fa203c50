import { useMemo } from "react";
import { useIdentity } from "../access/identity.ts";
import { type StoredDraft, storedDrafts } from "./stored-drafts.ts";

/** The signed-in user's draft at an address. Without an address nothing is stored. */
export interface DraftStore {
  readonly read: () => StoredDraft | undefined;
  readonly write: (content: unknown) => void;
  readonly forget: () => void;
}

export function useStoredDraft(address: string | undefined): DraftStore {
  const { name } = useIdentity();
  return useMemo(
    () => ({
      read: () => (address === undefined ? undefined : storedDrafts.read(name, address)),
      write: (content) => address !== undefined && storedDrafts.write(name, address, content),
      forget: () => address !== undefined && storedDrafts.forget(address),
    }),
    [name, address],
  );
}
