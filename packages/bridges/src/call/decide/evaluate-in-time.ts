import type { HookSet } from "../match/hook-set.ts";
import type { PlannedHook } from "../match/plan-file.ts";
import type { OpenCall } from "../read/open-call.ts";
import type { Input } from "../translate/canonical-call.ts";
import type { Translated } from "../translate/translate.ts";
import { type Evaluation, evaluate } from "./evaluate.ts";
import { inTime, timeLeft } from "./in-time.ts";
import { onErrorVerdict } from "./on-error-verdict.ts";

/** Asks the hooks within the time that the client gives; when that runs out, the hooks' `on_error` decides. */
export function evaluateInTime(
  open: OpenCall,
  set: HookSet,
  translated: Translated,
  active: readonly PlannedHook[],
): Promise<Evaluation> {
  const { native, location, deadlineMs } = open;
  const input = native.values.toolInput as Input | undefined;
  const first = translated.steps[0]?.event ?? "on_error";
  return inTime(
    timeLeft(open),
    (signal) =>
      evaluate(set, translated, {
        signal,
        ...(input !== undefined && { input }),
        text: native.text,
        // A hook that is untrusted, perhaps untrusted, gone or broken is logged once per session.
        note: ({ code, message }) =>
          ["hook_untrusted", "hook_gone", "trust_unknown", "bad_hook_file"].includes(code) &&
          !location.session.isNewNotice(message)
            ? undefined
            : message,
      }),
    () => {
      const why = `the hooks did not answer within ${deadlineMs / 1_000} s`;
      const guards = active.filter((hook) => hook.mustBlock).map(({ name }) => name);
      return { verdict: onErrorVerdict(first, guards, why), event: first, steps: [] };
    },
  );
}
