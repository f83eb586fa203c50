import { useMemo } from "react";
import { useIdentity } from "../access/identity.ts";
import { type KeptDraft, keptDrafts } from "./kept-drafts.ts";

/** The signed-in user's draft at an address. Without an address nothing is kept. */
export interface DraftKeeper {
  readonly read: () => KeptDraft | undefined;
  readonly keep: (content: unknown) => void;
  readonly forget: () => void;
}

export function useKeptDraft(address: string | undefined): DraftKeeper {
  const { name } = useIdentity();
  return useMemo(
    () => ({
      read: () => (address === undefined ? undefined : keptDrafts.read(name, address)),
      keep: (content) => address !== undefined && keptDrafts.keep(name, address, content),
      forget: () => address !== undefined && keptDrafts.forget(address),
    }),
    [name, address],
  );
}
