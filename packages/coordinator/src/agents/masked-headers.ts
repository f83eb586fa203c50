import { type Blueprint, mayDo, type RunHookDefinition, type Scope } from "@tenterhook/protocol/runs";
import { Problem } from "../problem.ts";

/** Replaces the parts of a header's value that are not references. */
const MASK = "[hidden]";

/** `${NAME}` is the name of a secret, not its value. */
const REFERENCE = /(\$\{[A-Za-z_][A-Za-z0-9_]*\})/;
/** Text before a secret that is none itself. */
const SCHEME = /^(?:Bearer|Basic|Token|ApiKey)? *$/i;

/** A definition, or a reference to a named hook. */
export type AnyHook = RunHookDefinition | { readonly $ref: string };

/** Whether a scope sees values of headers: it may replace them, so hiding them would protect nothing. */
export function seesHeaders(scope: Scope): boolean {
  return mayDo(scope, "define");
}

/** A blueprint without the literal values of its http hooks' headers. */
export function maskedBlueprint(blueprint: Blueprint): Blueprint {
  const hooks = Object.entries(blueprint.hooks);
  if (hooks.length === 0) return blueprint;
  const masked = hooks.map(([type, hook]) => [type, hook && maskedHook(hook)]);
  return { ...blueprint, hooks: Object.fromEntries(masked) };
}

/** A hook without the literal values of its headers. */
export function maskedHook<H extends AnyHook>(hook: H): H {
  if ("$ref" in hook || hook.type !== "http") return hook;
  const headers = Object.entries(hook.headers).map(([name, value]) => [name, maskedValue(value)]);
  return { ...hook, headers: Object.fromEntries(headers) };
}

function maskedValue(value: string): string {
  const pieces = value.split(REFERENCE);
  // Every other piece is a reference. A scheme alone, with no reference behind it, may be anything.
  return pieces
    .map((piece, index) => {
      if (index % 2 === 1 || piece === "") return piece;
      return SCHEME.test(piece) && index < pieces.length - 1 ? piece : MASK;
    })
    .join("");
}

/** Refuses to save a hook with masked values: the secrets would be lost. `at` is the hook's path in the request. */
export function checkUnmasked(hook: AnyHook, at: string, code: "bad_blueprint" | "bad_hook"): void {
  if ("$ref" in hook || hook.type !== "http") return;
  const masked = Object.entries(hook.headers).find(([, value]) => value.includes(MASK));
  if (masked === undefined) return;
  throw new Problem(code, `the header's value was hidden when it was read, as ${MASK}`, {
    field: `${at}headers.${masked[0]}`,
    hint: "Read it with an administrator's token, or write the value, best as a reference to a variable.",
  });
}
