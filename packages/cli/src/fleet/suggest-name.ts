import { nearestWord } from "@tenterhook/protocol";

/** Where the names of each kind are listed, and how they are called there. */
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

/** So many names are looked through. */
const LIMIT = 200;

/**
 * The name that was probably meant, of what a coordinator says does not exist; for ids their beginning is enough. `read` asks the
 * coordinator. `undefined` when there is no guess: it is only advice, so nothing that goes wrong here is told.
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
