import {
  type InputArguments,
  isRequestError,
  type OperationName,
  RequestError,
  type ResponseOf,
  TenterhookClient,
} from "@tenterhook/client";
import { isRecord, nearestWord } from "@tenterhook/internal";
import { EXIT, type ExitCode } from "../command.ts";
import { chooseSubcommand, type Subcommands } from "../read-arguments.ts";
import { type Access, type AccessValues, findAccess } from "./access.ts";
import { RESPONSE_FIELDS } from "./generated/response-fields.ts";

/** A request may take this long: a person sees that it waits, and can end it. */
const TIMEOUT_MS = 300_000;

/**
 * The client of the commands. A response without the field that it should have is a `bad_response`: a mistyped URL may lead to
 * any server. The refusal of an unknown name suggests a similar one that exists.
 */
export class CoordinatorClient extends TenterhookClient {
  constructor({ url, token }: Access) {
    super({ url, token, timeoutMs: TIMEOUT_MS, retry: { attempts: 1 } });
  }

  override async send<O extends OperationName>(
    operation: O,
    ...input: InputArguments<O>
  ): Promise<ResponseOf<O>> {
    try {
      const response = await super.send(operation, ...input);
      const field = RESPONSE_FIELDS[operation];
      if (field === undefined || (isRecord(response) && field in response)) return response;
      throw new RequestError("bad_response", `the response of ${this.url} is not one of a coordinator`, {
        status: 200,
      });
    } catch (error) {
      if (!isRequestError(error) || error.problem === undefined) throw error;
      const { code, status, problem } = error;
      const suggestion = await suggestName(problem.detail, (list, limit) =>
        super.send(list, { query: { limit } }),
      );
      if (suggestion === undefined) throw error;
      const corrected = { ...problem, hint: `Did you mean ${suggestion}?` };
      throw new RequestError(code, problem.detail, { status, problem: corrected });
    }
  }
}

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
async function suggestName(
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

/** The largest page of the coordinator. */
const MAX_PER_PAGE = 200;

/** The first `max` items of a list, from as many pages as needed. */
export async function listAll<Page extends { readonly next_cursor: string | null }, Item>(
  max: number,
  read: (paging: { readonly limit: number; readonly cursor: string | undefined }) => Promise<Page>,
  readItems: (page: Page) => readonly Item[],
): Promise<readonly Item[]> {
  const items: Item[] = [];
  let cursor: string | undefined;
  while (items.length < max) {
    const page = await read({ limit: Math.min(MAX_PER_PAGE, max - items.length), cursor });
    items.push(...readItems(page));
    if (page.next_cursor === null) break;
    cursor = page.next_cursor;
  }
  return items;
}

/** The subcommands of a command that talks to a coordinator; each gets its first argument, and those that may follow it. */
export type ClientSubcommands<V> = Subcommands<
  (
    client: CoordinatorClient,
    values: V,
    argument: string,
    more: readonly string[],
  ) => Promise<void> | Promise<ExitCode>
>;

/** Runs the subcommand that the arguments name, as a client of the coordinator that the options name. */
export async function runSubcommand<V extends AccessValues>(
  command: string,
  subcommands: ClientSubcommands<V>,
  values: V,
  args: readonly string[],
): Promise<ExitCode> {
  const { run, args: given } = chooseSubcommand(command, subcommands, args);
  const [first = "", ...more] = given;
  const code = await run(new CoordinatorClient(findAccess(values)), values, first, more);
  return code ?? EXIT.ok;
}
