import { notifications } from "@mantine/notifications";
import type { RunSummary } from "@tenterhook/protocol/runs";
import { useEffect, useRef, useState } from "react";
import { IdempotencyKey } from "../api/idempotency-key.ts";
import { useWrite } from "../api/use-write.ts";
import { countText } from "../components/count-text.ts";
import { type BulkAction, type BulkResult, runBulk } from "./run-bulk.ts";

interface Request {
  readonly action: BulkAction;
  readonly runs: readonly RunSummary[];
}

export type BulkSummary = BulkResult & { readonly action: BulkAction };

const DID: Readonly<Record<BulkAction, string>> = { stop: "Stop requested for", retry: "Retried" };

/** Stops or retries runs in batches. When some of them failed, there is a summary until it is closed. */
export function useBulk(onEnd: () => void) {
  const key = useRef(new IdempotencyKey());
  const cancel = useRef(new AbortController());
  const [handled, setHandled] = useState(0);
  const [summary, setSummary] = useState<BulkSummary>();
  const write = useWrite({
    mutationFn: ({ action, runs }: Request) => {
      setHandled(0);
      cancel.current = new AbortController();
      const ids = runs.map(({ run_id }) => run_id);
      return runBulk(action, ids, key.current, { onProgress: setHandled, signal: cancel.current.signal });
    },
    onSuccess: (result, { action }) => {
      // The same runs may be retried again later. After a lost response, the same request must not start them twice.
      if (!result.isLost) key.current = new IdempotencyKey();
      onEnd();
      if (result.failures.length > 0 || result.left > 0) setSummary({ ...result, action });
      else
        notifications.show({
          color: "green",
          title: `${DID[action]} ${countText(result.done, "run")}`,
          message: "",
        });
    },
  });
  useEffect(() => {
    if (!write.isPending) return;
    // The runs that were not sent yet would be left out, and nothing would say so.
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener("beforeunload", ask);
    return () => window.removeEventListener("beforeunload", ask);
  }, [write.isPending]);
  return {
    start: write.mutate,
    /** The action that is being executed. */
    working: write.isPending ? write.variables : undefined,
    handled,
    cancel: () => cancel.current.abort(),
    summary,
    closeSummary: () => setSummary(undefined),
  };
}
