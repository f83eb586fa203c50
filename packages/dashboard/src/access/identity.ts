import { mayDo, type Permission, type whoAmI } from "@tenterhook/protocol/runs";
import { createContext, useContext } from "react";
import type { z } from "zod";

/** The signed-in user. */
export const Identity = createContext<z.output<typeof whoAmI>>({ token_id: "", name: "", scope: "viewer" });

export function useIdentity() {
  return useContext(Identity);
}

/** Whether the signed-in user has a permission. The coordinator enforces it; the page only hides what would be refused. */
export function useMay(permission: Permission): boolean {
  return mayDo(useIdentity().scope, permission);
}
