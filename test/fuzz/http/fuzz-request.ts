import fc from "fast-check";
import { mutated, mutation } from "../mutate-json.ts";
import { oddDate, oddNumber, oddText } from "../odd-values.ts";
import type { ApiDocument, DocumentedOperation, DocumentedParameter } from "./document.ts";
import { schemaValue } from "./schema-values.ts";

export const CREDENTIALS = [
  "none",
  "viewer",
  "client",
  "runner",
  "admin",
  "expired",
  "revoked",
  "garbage",
  "viewer session",
  "client session",
  "admin session",
  "ended session",
] as const;
export type Credential = (typeof CREDENTIALS)[number];

/** What a session's cookie is sent as, by whether it is still that cookie. */
const COOKIES = {
  whole: [
    "@@cookie@@",
    "@@cookie@@",
    "a=b; @@cookie@@",
    "@@cookie@@;",
    ";;  @@cookie@@ ;c",
    "@@cookie@@; x=@@letters:300@@",
  ],
  spoilt: [
    "@@cookie@@x",
    "x@@cookie@@",
    "@@cookie@@%00",
    '"@@cookie@@"',
    "@@cookie@@, a=b",
    "@@letters:9000@@@@cookie@@",
  ],
} as const;

/** The credential of a session that is sent with a cookie that was changed is none. */
export function isSpoilt({ cookie }: Pick<FuzzRequest, "cookie">): boolean {
  return COOKIES.spoilt.some((each) => each === cookie);
}

/** A request as a value that can be printed. Texts hold the names of `writeOut`. */
export interface FuzzRequest {
  readonly operation: string;
  readonly credential: Credential;
  /** The header of a session's requests. */
  readonly cookie: string;
  readonly method: string;
  /** Which run, session and so on the names mean. */
  readonly target: number;
  /** Its parts are escaped when it is sent, unless they begin with `raw:`. */
  readonly path: readonly string[];
  readonly query: readonly (readonly [string, string])[];
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  readonly encoding: "utf8" | "utf16le" | "latin1";
}

/** Requests for every operation of the document: fitting ones, and such with a few changes. */
export function fuzzRequest({ operations, schemas }: ApiDocument): fc.Arbitrary<FuzzRequest> {
  return fc.oneof(
    ...operations.map((operation) =>
      fc
        .record({
          operation: fc.constant(`${operation.method} ${operation.path}`),
          // Administrators get further.
          credential: fc.oneof(
            { weight: 2, arbitrary: fc.constant<Credential>("admin") },
            { weight: 1, arbitrary: fc.constantFrom(...CREDENTIALS) },
          ),
          cookie: fc.oneof(
            { weight: 4, arbitrary: fc.constantFrom<string>(...COOKIES.whole) },
            { weight: 1, arbitrary: fc.constantFrom<string>(...COOKIES.spoilt) },
          ),
          method: fc.oneof(
            { weight: 30, arbitrary: fc.constant(operation.method) },
            {
              weight: 1,
              arbitrary: fc.constantFrom("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"),
            },
          ),
          target: fc.nat(19),
          path: fc.tuple(
            ...operation.path
              .split("/")
              .slice(1)
              .map((part) => pathPart(part, operation)),
          ),
          query: queryOf(operation),
          headers: headersOf(operation),
          body:
            operation.body === undefined
              ? rarely(fc.constant("{}"))
              : bodyOf(schemaValue(operation.body, schemas)),
          encoding: mostly("utf8" as const, fc.constantFrom("utf16le" as const, "latin1" as const)),
        })
        .map((request): FuzzRequest => request),
    ),
  );
}

function mostly<T>(usual: T, others: fc.Arbitrary<T>): fc.Arbitrary<T> {
  return fc.oneof({ weight: 25, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: others });
}

function rarely<T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> {
  return mostly<T | undefined>(undefined, value);
}

const RAW = fc.constantFrom(
  "raw:%",
  "raw:%00",
  "raw:%zz",
  "raw:%FF",
  "raw:%ED%A0%80",
  "raw:%2e%2e",
  "raw:a%2Fb",
  "raw:",
  "raw:..",
);

function pathPart(part: string, { path }: DocumentedOperation): fc.Arbitrary<string> {
  if (!part.startsWith("{")) return fc.constant(part);
  const known = knownName(part, path);
  return fc.oneof(
    { weight: 6, arbitrary: known },
    { weight: 1, arbitrary: oddText },
    { weight: 1, arbitrary: RAW },
  );
}

function knownName(part: string, path: string): fc.Arbitrary<string> {
  if (part === "{approval_id}" || path.startsWith("/approvals")) return fc.constant("@@approval@@");
  if (path.startsWith("/sessions")) return fc.constant("@@session@@");
  if (path.startsWith("/runners")) return fc.constant("@@runner@@");
  if (path.startsWith("/tokens")) return fc.constant("@@token@@");
  if (path.startsWith("/hooks")) return fc.constantFrom("shared-hook", "new-hook", "absent");
  // Not the names of those that other requests need.
  if (path.startsWith("/agents")) return fc.constantFrom("changing", "new-agent", "absent");
  return fc.constant("@@run@@");
}

/** Never a wait that the coordinator would accept: it would be right to wait. */
const WAITS = fc.constantFrom("0", "0.01", "-1", "NaN", "Infinity", "", "x", "1e-400", "0,5");

function queryOf({ parameters }: DocumentedOperation): fc.Arbitrary<[string, string][]> {
  const queries = parameters.filter((each) => each.in === "query");
  const known = queries.map((each) => {
    const isNeeded = each.required === true || each.name === "wait";
    return fc.option(
      queryText(each).map((value): [string, string] => [each.name, value]),
      { nil: undefined, freq: isNeeded ? 1_000 : 1 },
    );
  });
  const more = fc.oneof(
    { weight: 12, arbitrary: fc.constant<[string, string][]>([]) },
    {
      weight: 1,
      arbitrary: fc.array(
        fc.tuple(fc.oneof(oddText, fc.constantFrom("limit", "cursor", "__proto__")), oddText),
        {
          maxLength: 2,
        },
      ),
    },
  );
  return fc
    .tuple(fc.tuple(...known), more)
    .map(([first, last]) => [...first.filter((each) => each !== undefined), ...last]);
}

const cursor = fc
  .array(fc.oneof(oddDate, oddText, oddNumber.map(String)), { maxLength: 5 })
  .map((values) => Buffer.from(JSON.stringify(values)).toString("base64url"));

function queryText({ name, schema }: DocumentedParameter): fc.Arbitrary<string> {
  if (name === "wait") return WAITS;
  const known: fc.Arbitrary<string>[] = [oddText];
  if (name === "cursor") known.push(cursor, cursor, cursor);
  if (name === "after" || name === "limit" || name === "slots") {
    known.push(oddNumber.map(String), fc.constantFrom("1", "50"));
    known.push(fc.tuple(oddNumber, oddNumber).map(([xid, id]) => `${xid}-${id}`));
  }
  if (/_id$|^(?:id|run|session|runner|parent|unstarted)$/.test(name)) {
    known.push(fc.constantFrom("@@run@@", "@@session@@", "@@runner@@", "@@run@@,@@run@@"));
  }
  if (name === "lease_token") known.push(fc.constant("@@lease@@"));
  if (schema.format === "date-time") known.push(oddDate, oddDate, oddDate);
  if (schema.enum !== undefined) known.push(fc.constantFrom(...schema.enum.map(String)));
  if (name === "status" || name === "state")
    known.push(
      fc.constantFrom("pending", "completed,failed", "running,running", "blocked", "needs_approval,failed"),
    );
  if (name.startsWith("has_")) known.push(fc.constantFrom("true", "false"));
  return fc.oneof(...known, RAW);
}

/** As much of a text as a header can hold. */
function headerText(text: string): string {
  return text.replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, "?").slice(0, 2_000);
}

function headersOf({ parameters, body }: DocumentedOperation): fc.Arbitrary<Record<string, string>> {
  const documented = parameters
    .filter((each) => each.in === "header")
    .map(({ name }) =>
      fc.option(
        fc
          .oneof(
            oddText,
            fc.constantFrom("*", '"x"', 'W/"x"', '"a", "b"', "key-1", "key-2"),
            fc.tuple(oddNumber, oddNumber).map(([xid, id]) => `${xid}-${id}`),
          )
          .map((value) => [name, headerText(value)] as const),
      ),
    );
  const type = mostly(
    "application/json",
    fc.constantFrom(
      "",
      "text/plain",
      "application/json; charset=utf-16",
      "multipart/form-data; boundary=x",
      "application/x-www-form-urlencoded",
      "application/problem+json",
      "application/jsonp",
    ),
  ).map((value) => ["content-type", value] as const);
  const more = fc.constantFrom<readonly [string, string] | null>(
    ...Array<null>(20).fill(null),
    ["accept", "image/png"],
    ["host", "evil.example"],
    ["host", "127.0.0.1:99999"],
    ["origin", "https://evil.example"],
    ["cookie", "tenterhook=x; tenterhook=y"],
    ["cookie", "tenterhook=%00"],
    ["content-encoding", "gzip"],
    ["x-forwarded-host", "evil.example"],
    ["x-http-method-override", "DELETE"],
    ["expect", "100-continue"],
    ["range", "bytes=0-0"],
    ["if-none-match", "*"],
    ["if-modified-since", "never"],
  );
  return fc
    .tuple(fc.tuple(...documented), body === undefined ? fc.constant(null) : type, more)
    .map(([known, ...others]) => Object.fromEntries([...known, ...others].filter((each) => each !== null)));
}

function bodyOf(value: fc.Arbitrary<unknown>): fc.Arbitrary<string | undefined> {
  const changes = fc.oneof(
    { weight: 1, arbitrary: fc.constant([]) },
    { weight: 3, arbitrary: fc.array(mutation, { minLength: 1, maxLength: 3 }) },
  );
  const text = fc
    .tuple(value, changes)
    .map(([base, mutations]) => JSON.stringify(mutated(base, mutations)) ?? "");
  const broken = fc
    .tuple(text, fc.nat(200), fc.constantFrom("cut", "twice", "bom", "after", "comma", "empty"))
    .map(([whole, at, how]) => {
      switch (how) {
        case "cut":
          return whole.slice(0, at);
        case "twice":
          return whole.replace(/^\{("[^"]*"):/, "{$1:null,$1:");
        case "bom":
          return `\uFEFF${whole}`;
        case "after":
          return `${whole}${whole}`;
        case "comma":
          return whole.replace(/\}$/, ",}");
        default:
          return "";
      }
    });
  return fc.oneof(
    { weight: 12, arbitrary: text },
    { weight: 1, arbitrary: broken },
    { weight: 1, arbitrary: fc.constant(undefined) },
  );
}
