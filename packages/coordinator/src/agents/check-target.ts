import { Problem } from "../problem.ts";
import { type AddressPolicy, refusedTarget } from "../webhook/index.ts";
import type { AnyHook } from "./masked-headers.ts";

/** Refuses an http hook whose address every call would refuse. `at` is the path of the hook in the request. */
export function checkTarget(
  hook: AnyHook,
  at: string,
  code: "bad_blueprint" | "bad_hook",
  allows: AddressPolicy,
): void {
  if ("$ref" in hook || hook.type !== "http") return;
  const reason = refusedTarget(hook.url, allows);
  if (reason !== undefined) throw new Problem(code, reason, { field: `${at}url` });
}
