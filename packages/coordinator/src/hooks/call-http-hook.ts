import { DEFAULT_HOOK_SECONDS, storableJson } from "@tenterhook/protocol/runs";
import { type HookReply, isObserver } from "../domain/hook-decision.ts";
import type { HookRow } from "../store/rows.ts";
import { callWebhook, readAddressPolicy, type WebhookOptions } from "../webhook/index.ts";
import type { HttpHookCaller } from "./hook-worker.ts";
import type { SigningKeys } from "./signing-keys.ts";

/**
 * Calls the addresses of http hooks. The hook's id is the key by which a receiver recognises a repetition.
 * Throws a `TypeError` for an unreadable `allowPrivate`, so that it is noticed at the start and not by the first hook.
 */
export function httpHookCaller(
  options: Omit<WebhookOptions, "signingKey">,
  signingKeys: Pick<SigningKeys, "all">,
): HttpHookCaller {
  readAddressPolicy(options.allowPrivate);
  return async (hook, signal) => replyOf(hook, { ...options, signingKey: await signingKeys.all() }, signal);
}

async function replyOf(hook: HookRow, options: WebhookOptions, signal: AbortSignal): Promise<HookReply> {
  const { definition, input, id, hook_type: hookType } = hook;
  if (definition.type !== "http") return { type: "failed", error: "it is no http hook" };
  const answer = await callWebhook(
    {
      url: definition.url,
      method: definition.method,
      headers: definition.headers,
      body: input,
      hookType,
      isAnswerRead: !isObserver(hookType),
      idempotencyKey: id,
      isTrial: input.trial === true,
      deadlineMs: (definition.timeout_seconds ?? DEFAULT_HOOK_SECONDS) * 1_000,
    },
    options,
    signal,
  );
  // A value that the database cannot store would otherwise become an error of the coordinator.
  const { status, attempts } = answer;
  const call = { status, attempts };
  if (answer.type === "answered")
    return { type: "answered", value: JSON.parse(storableJson(answer.value ?? {})), call };
  return { type: "failed", error: answer.reason, timedOut: answer.code === "timed_out", call };
}
