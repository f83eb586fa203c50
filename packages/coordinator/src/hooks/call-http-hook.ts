import { DEFAULT_HOOK_SECONDS, storableJson } from "@tenterhook/protocol/runs";
import { type HookReply, isObserver } from "../domain/hook-decision.ts";
import type { HookRow } from "../store/rows.ts";
import { attemptWebhook, callWebhook, readAddressPolicy, type WebhookOptions } from "../webhook/index.ts";
import type { WebhookCall, WebhookResult } from "../webhook/webhook-call.ts";
import type { HttpHookAttempt, HttpHookCaller } from "./hook-worker.ts";
import type { SigningKeys } from "./signing-keys.ts";

export interface HttpHookCalls {
  /** With all its attempts. */
  readonly callHttpHook: HttpHookCaller;
  /** One attempt. */
  readonly attemptHttpHook: HttpHookAttempt;
}

/**
 * Calls the URLs of http hooks. The hook's id is the key by which a receiver recognises a repetition.
 * Throws a `TypeError` for an unreadable `allowPrivate`, so that it is noticed at the start and not by the first hook.
 */
export function httpHookCalls(
  options: Omit<WebhookOptions, "signingKey">,
  signingKeys: Pick<SigningKeys, "all">,
): HttpHookCalls {
  readAddressPolicy(options.allowPrivate);
  const signed = async () => ({ ...options, signingKey: await signingKeys.all() });
  return {
    callHttpHook: async (hook, signal) => {
      const call = createCall(hook);
      return call === undefined ? NO_HTTP_HOOK : readReply(await callWebhook(call, await signed(), signal));
    },
    attemptHttpHook: async (hook, signal, leftMs) => {
      const call = createCall(hook);
      if (call === undefined) return NO_HTTP_HOOK;
      const earlier = { before: hook.calls, earlier: hook.waiting?.failure, leftMs };
      const result = await attemptWebhook(call, await signed(), earlier, signal);
      if (result.type !== "retry") return readReply(result);
      return { type: "retry", afterMs: result.afterMs, error: result.reason };
    },
  };
}

const NO_HTTP_HOOK: HookReply = { type: "failed", error: "it is not an http hook" };

function createCall({ definition, input, id, hook_type }: HookRow): WebhookCall | undefined {
  if (definition.type !== "http") return undefined;
  return {
    url: definition.url,
    method: definition.method,
    headers: definition.headers,
    body: input,
    hookType: hook_type,
    isResponseRead: !isObserver(hook_type),
    idempotencyKey: id,
    isTrial: input.trial === true,
    deadlineMs: (definition.timeout_seconds ?? DEFAULT_HOOK_SECONDS) * 1_000,
  };
}

function readReply(result: WebhookResult): HookReply {
  // A value that the database cannot store would otherwise become an error of the coordinator.
  const { status, attempts } = result;
  const call = { status, attempts };
  if (result.type === "answered")
    return { type: "answered", value: JSON.parse(storableJson(result.value ?? {})), call };
  return { type: "failed", error: result.reason, timedOut: result.code === "timed_out", call };
}
