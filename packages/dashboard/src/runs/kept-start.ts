import { isRecord } from "@tenterhook/internal";
import type { KeptDraft } from "../editing/kept-drafts.ts";
import type { InvalidTexts } from "../parameters/parameters-form.tsx";
import type { RunOptions } from "./more-options.tsx";

/** What the user typed into the form that starts runs, as it is kept. */
export interface KeptStart {
  readonly agent: string | null;
  readonly values: Record<string, unknown>;
  readonly options: RunOptions;
  /** Parameters that are not valid JSON yet. */
  readonly texts: InvalidTexts;
}

/** The address by which a draft of the form is kept. A retry has its own form, on the page of its run. */
export function startFormAddress(retryOf: { readonly run_id: string } | undefined): string {
  return retryOf === undefined ? "/runs?start" : `/runs/${retryOf.run_id}?retry`;
}

/** What was kept, and when, if it is for this agent. */
export function keptStart(
  kept: KeptDraft | undefined,
  agent: string | undefined,
): (KeptStart & { readonly keptAt: string }) | undefined {
  if (kept === undefined || !isKeptStart(kept.content)) return undefined;
  return kept.content.agent === (agent ?? null) ? { ...kept.content, keptAt: kept.keptAt } : undefined;
}

// Another version of the page may have kept it.
function isKeptStart(content: unknown): content is KeptStart {
  return isRecord(content) && [content.values, content.options, content.texts].every(isRecord);
}
