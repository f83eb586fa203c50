import type { CataloguedHook } from "@tenterhook/file-hooks";
import type { TrustChecker } from "@tenterhook/file-hooks/trust";

/** Whether a hook may run: the user's own hooks always, a project's hooks in their trusted version. */
export type TrustState = "user" | "trusted" | "untrusted" | "changed" | "unknown";

export function trustState(
  { scope, folder }: Pick<CataloguedHook, "scope" | "folder">,
  checker: TrustChecker,
): TrustState {
  if (scope === "user") return "user";
  switch (checker.statusOf(folder).type) {
    case "trusted":
      return "trusted";
    case "never_trusted":
      return "untrusted";
    case "unknown":
      return "unknown";
    case "changed":
      return "changed";
  }
}
