import { isRecord } from "@tenterhook/internal";
import type { StoredDraft } from "../editing/stored-drafts.ts";
import type { InvalidTexts } from "../parameters/parameters-form.tsx";
import type { StartOptions } from "./more-options.tsx";

/** What the user typed into the form that starts runs, as it is stored. */
export interface StoredStart {
  readonly agent: string | null;
  readonly values: Record<string, unknown>;
  readonly options: StartOptions;
  /** Parameters that are not valid JSON yet. */
  readonly texts: InvalidTexts;
}

/** The address by which a draft of the form is stored. A retry has its own form, on the page of its run. */
export function startFormAddress(retryOf: { readonly run_id: string } | undefined): string {
  return retryOf === undefined ? "/runs?start" : `/runs/${retryOf.run_id}?retry`;
}

/** What was stored, and when, if it is for this agent. */
export function readStoredStart(
  stored: StoredDraft | undefined,
  agent: string | undefined,
): (StoredStart & { readonly keptAt: string }) | undefined {
  if (stored === undefined || !isStoredStart(stored.content)) return undefined;
  return stored.content.agent === (agent ?? null) ? { ...stored.content, keptAt: stored.keptAt } : undefined;
}

// Another version of the page may have stored it.
function isStoredStart(content: unknown): content is StoredStart {
  return isRecord(content) && [content.values, content.options, content.texts].every(isRecord);
}
