import { z } from "zod";
import { Refusal } from "./refusal.ts";
import { storableJson } from "./storable-json.ts";

/** Where the coordinator is, and what lets us in. */
export interface Address {
  /** Without a slash at its end. */
  readonly url: string;
  readonly token: string;
}

export interface Question {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly body?: unknown;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

const problem = z.object({
  code: z.string(),
  title: z.string().optional(),
  detail: z.string().optional(),
  hint: z.string().optional(),
});

/**
 * Asks the coordinator once. Resolves to its answer, `undefined` when there is nothing to say (204); rejects with a
 * `Refusal` when it refuses, and with what went wrong when no answer came in time.
 */
export async function exchange({ url, token }: Address, question: Question): Promise<unknown> {
  const { method, path, body, timeoutMs, signal } = question;
  // Not `AbortSignal.any`: the signal may live as long as the runner, and would hold on to every exchange.
  const controller = new AbortController();
  const follow = () => controller.abort(signal?.reason);
  if (signal?.aborted) follow();
  signal?.addEventListener("abort", follow, { once: true });
  const timer = setTimeout(() => controller.abort(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs);
  try {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body !== undefined && { "content-type": "application/json" }),
      },
      ...(body !== undefined && { body: storableJson(body) }),
      // A token is not taken along to where somebody else says.
      redirect: "error",
      signal: controller.signal,
    });
    // From here on the answer is there, and an answer that is there is read: there may be a run in it.
    signal?.removeEventListener("abort", follow);
    const text = await response.text();
    if (!response.ok) throw refusal(response.status, text);
    return text === "" ? undefined : JSON.parse(text);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", follow);
  }
}

/** What is no problem of the coordinator's own making came from somebody in between, and the coordinator is away. */
function refusal(status: number, text: string): Error {
  let said: z.infer<typeof problem>;
  try {
    said = problem.parse(JSON.parse(text));
  } catch {
    return new Error(`there is an answer, of status ${status}, that is not the coordinator's`);
  }
  const { code, title = code, detail = title, hint } = said;
  return new Refusal(status, code, hint === undefined ? detail : `${detail} ${hint}`);
}
