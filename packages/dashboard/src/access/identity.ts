import { mayDo, type Permission, type whoAmI } from "@tenterhook/protocol/runs";
import { createContext, useContext } from "react";
import type { z } from "zod";

/** Who is looking at the page. */
export const Identity = createContext<z.output<typeof whoAmI>>({ name: "nobody", scope: "viewer" });

export function useIdentity() {
  return useContext(Identity);
}

/** Whether whoever is looking may do something. The coordinator decides; this only saves people from trying in vain. */
export function useMay(permission: Permission): boolean {
  return mayDo(useIdentity().scope, permission);
}
