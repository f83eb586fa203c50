import { nearestWord } from "@tenterhook/internal";

/** The list of each kind, and the field with its names. */
const LISTS: Readonly<
  Record<string, { readonly path: string; readonly items: string; readonly name: string }>
> = {
  agent: { path: "/agents", items: "agents", name: "name" },
  hook: { path: "/hooks", items: "hooks", name: "name" },
  run: { path: "/runs", items: "runs", name: "run_id" },
  session: { path: "/sessions", items: "sessions", name: "session_id" },
  approval: { path: "/approvals", items: "approvals", name: "approval_id" },
  token: { path: "/tokens", items: "tokens", name: "token_id" },
  runner: { path: "/runners", items: "runners", name: "runner_id" },
};

const UNKNOWN = /there is no (\w+)(?: named)? "([^"]+)"/;

/** The number of names that are compared. */
const LIMIT = 200;

/**
 * The existing name that is most similar to an unknown name in an error message; for ids the beginning is enough. `read` sends
 * a request. Errors are ignored, because this is only a suggestion.
 */
export async function suggestName(
  detail: string,
  read: (path: string) => Promise<Response>,
): Promise<string | undefined> {
  const [, kind = "", name = ""] = UNKNOWN.exec(detail) ?? [];
  const list = Object.hasOwn(LISTS, kind) ? LISTS[kind] : undefined;
  if (list === undefined) return undefined;
  try {
    const response = await read(`${list.path}?limit=${LIMIT}`);
    const page = (await response.json()) as Record<string, readonly Record<string, unknown>[]>;
    return nearestWord(
      name,
      (page[list.items] ?? []).map((item) => String(item[list.name])),
    );
  } catch {
    return undefined;
  }
}
