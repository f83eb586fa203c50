import type { PromisedResponses } from "@tenterhook/test-support";
import type { ApiDocument } from "./document.ts";
import { type FuzzRequest, isSpoilt } from "./fuzz-request.ts";
import type { FuzzAnswer } from "./send-request.ts";

/** A refusal names what is wrong; it does not repeat the request. */
const LARGEST_REFUSAL = 16 * 1024;

/** What is wrong with an answer, if anything is. */
export function answerProblem(
  { operations }: ApiDocument,
  promised: PromisedResponses,
  { method, credential, ...request }: FuzzRequest,
  { status, headers, text, address }: FuzzAnswer,
): string | undefined {
  if (status >= 500) return `it was answered ${status}: ${text}`;
  const { pathname } = new URL(address, "http://any");
  const operation = operations.find((each) => each.method === method && fits(each.path, pathname));
  if (status < 400) {
    if (operation === undefined) return method === "HEAD" ? undefined : notOurs(pathname, status);
    const { scopes } = operation;
    const scope = credential.replace(/ session$/, "");
    if (scopes !== undefined && !scopes.includes(scope)) return `${credential} got a ${status}`;
    if (scopes !== undefined && scope !== credential) {
      if (isSpoilt(request)) return `a cookie that was changed got a ${status}`;
      const isOfAnotherSite = request.headers.origin !== undefined && !["GET", "HEAD"].includes(method);
      if (isOfAnotherSite) return `a page of another site got a ${status} with the cookie`;
    }
  } else {
    // Headers that are too large are refused before anything is read.
    if (status === 431) return undefined;
    if (method !== "HEAD" && !headers["content-type"]?.startsWith("application/problem+json")) {
      return `a ${status} is no problem: ${headers["content-type"]} ${text.slice(0, 200)}`;
    }
    if (text.length > LARGEST_REFUSAL)
      return `a refusal has ${text.length} characters: ${text.slice(0, 300)}`;
  }
  if (text === "" || !/json/.test(headers["content-type"] ?? "")) return undefined;
  try {
    promised.check(method, pathname, status, JSON.parse(text));
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** The page answers to what is no operation. */
function notOurs(pathname: string, status: number): string | undefined {
  return pathname === "/" ? undefined : `there is no operation at ${pathname}, and it was answered ${status}`;
}

function fits(template: string, pathname: string): boolean {
  const parts = pathname.split("/");
  const known = template.split("/");
  return known.length === parts.length && known.every((part, n) => part.startsWith("{") || part === parts[n]);
}
