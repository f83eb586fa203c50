import { Backoff, messageOf, pause, readable, retryAfterMs } from "@tenterhook/internal";
import { abortError } from "../model/abort.ts";
import type { Model, ModelAnswer, ModelRequest } from "../model/model.ts";
import type { RunContext } from "../run/run-context.ts";
import type { Display } from "./display.ts";
import type { LoopSettings } from "./loop-settings.ts";

/** The longest pause, even if the provider asks for more. */
const MAX_DELAY_MS = 60_000;

/** Calls the model, and retries errors that the provider marks as retryable. A longer `retry-after` takes precedence over the pauses. */
export async function callWithRetries(
  run: RunContext,
  model: Model,
  request: ModelRequest,
  { maxRetries, retryDelayMs }: LoopSettings,
  display: Display,
): Promise<ModelAnswer> {
  // Without chance, so that the reported delays can be foreseen.
  const backoff = new Backoff({ firstMs: retryDelayMs, mostMs: MAX_DELAY_MS, random: () => 0 });
  for (let retries = 0; ; retries++) {
    try {
      if (!display.isLive) return await model.generate(request);
      return await model.stream(request, (delta) => display.show(delta));
    } catch (thrown) {
      const error = readable(thrown);
      display.discard(`the model call failed: ${messageOf(error)}`);
      if (retries >= maxRetries || !isRetryable(error) || run.signal.aborted) throw error;
      const { step } = run;
      const delayMs = Math.min(MAX_DELAY_MS, Math.max(backoff.nextMs(), requestedDelayMs(error)));
      run.emit({ type: "retry", step, attempt: retries + 1, delayMs, error: messageOf(error) });
      await pause(delayMs, run.signal);
      if (run.signal.aborted) throw abortError(run.signal.reason);
    }
  }
}

function isRetryable(error: unknown): boolean {
  return (
    typeof error === "object" && error !== null && (error as { isRetryable?: unknown }).isRetryable === true
  );
}

/** The delay that the provider asks for. */
function requestedDelayMs(error: unknown): number {
  const headers = (error as { responseHeaders?: Readonly<Record<string, string>> }).responseHeaders;
  return retryAfterMs(headers?.["retry-after"], Date.now());
}
