import { nearestWord } from "@tenterhook/internal";

type ListOperation = `GET /${"agents" | "hooks" | "runs" | "sessions" | "approvals" | "tokens" | "runners"}`;

/** The list of each kind, and the field with its names. */
const LISTS: Readonly<
  Record<string, { readonly list: ListOperation; readonly items: string; readonly name: string }>
> = {
  agent: { list: "GET /agents", items: "agents", name: "name" },
  hook: { list: "GET /hooks", items: "hooks", name: "name" },
  run: { list: "GET /runs", items: "runs", name: "run_id" },
  session: { list: "GET /sessions", items: "sessions", name: "session_id" },
  approval: { list: "GET /approvals", items: "approvals", name: "approval_id" },
  token: { list: "GET /tokens", items: "tokens", name: "token_id" },
  runner: { list: "GET /runners", items: "runners", name: "runner_id" },
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
  read: (list: ListOperation, limit: number) => Promise<object>,
): Promise<string | undefined> {
  const [, kind = "", name = ""] = UNKNOWN.exec(detail) ?? [];
  const known = Object.hasOwn(LISTS, kind) ? LISTS[kind] : undefined;
  if (known === undefined) return undefined;
  try {
    const page = (await read(known.list, LIMIT)) as Record<string, readonly Record<string, unknown>[]>;
    return nearestWord(
      name,
      (page[known.items] ?? []).map((item) => String(item[known.name])),
    );
  } catch {
    return undefined;
  }
}
