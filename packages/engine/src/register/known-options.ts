import { formatValue, isPlainObject } from "@tenterhook/internal";
import { type EventName, TenterhookError } from "@tenterhook/protocol";

/** Throws `bad_hook` for options that are not an object, and for one that does not exist: neither must be ignored. */
export function checkKnownOptions(
  options: unknown,
  known: readonly string[],
  where: { readonly hook?: string; readonly event?: EventName },
): void {
  const hint = `The options are ${known.join(", ")}.`;
  if (!isPlainObject(options)) {
    const isPriority = typeof options === "number" && known.includes("priority");
    throw new TenterhookError("bad_hook", `its options must be an object, not ${formatValue(options)}.`, {
      ...where,
      hint: isPriority ? `Write { priority: ${options} }. ${hint}` : hint,
    });
  }
  const unknown = Object.keys(options).find((key) => !known.includes(key));
  if (unknown === undefined) return;
  throw new TenterhookError("bad_hook", `there is no option "${unknown}".`, { ...where, hint });
}
