import type { Identity } from "../access/known-tokens.ts";
import { Problem } from "../problem.ts";
import type { RunnerRow } from "../store/rows.ts";

/** Refuses a registration that the token is not bound to. */
export function checkBinding(
  { binding: { runner_name, runner_tags } }: Identity,
  { name, tags }: { readonly name: string; readonly tags: readonly string[] },
): void {
  if (runner_name !== null && name !== runner_name) {
    throw new Problem("forbidden", `the token is for the runner "${runner_name}", not for "${name}"`, {
      field: "name",
      hint: "Give the runner that name, or ask an administrator for a token of its own.",
    });
  }
  const other = runner_tags === null ? undefined : tags.find((tag) => !runner_tags.includes(tag));
  if (other === undefined) return;
  const allowed = runner_tags?.length === 0 ? "no tags" : `the tags ${runner_tags?.join(", ")}`;
  throw new Problem("forbidden", `the token is for a runner with ${allowed}, not with "${other}"`, {
    field: "tags",
    hint: "Leave out that tag, or ask an administrator for another token.",
  });
}

/** Refuses a token that acts for a runner which another token has registered. Administrators may do everything. */
export function checkActsAs({ scope, tokenId }: Identity, { id, registered_with }: RunnerRow): void {
  if (scope === "admin" || registered_with === tokenId) return;
  // It registered before tokens were stored. After this response a runner registers again under its id.
  if (registered_with === null) throw unknownRunner(id);
  throw anotherRunner(id);
}

export function unknownRunner(id: string): Problem {
  return new Problem("unknown_runner", `there is no runner "${id}"`, {
    hint: "Register it first: POST /runner/register.",
  });
}

export function anotherRunner(id: string): Problem {
  return new Problem("forbidden", `the runner "${id}" was registered with another token`, {
    field: "runner_id",
    hint: "Leave out runner_id to register as a new runner.",
  });
}
