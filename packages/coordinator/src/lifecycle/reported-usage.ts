import { isRecord } from "@tenterhook/internal";
import type { ModelUsage } from "@tenterhook/protocol/runs";
import type { Json } from "../store/rows.ts";

const MAX_MODEL_NAME = 200;
/** More tokens than this are a mistake of the runner; sums stay exact numbers. */
const MAX_TOKENS = 1_000_000_000;

/** What the model calls of a step used, if the event is the end of a step: of the agent, or of one of its subagents. */
export function readUsage({
  type,
  data,
}: {
  readonly type: unknown;
  readonly data: Json;
}): ModelUsage | undefined {
  // What happened in a subagent is stored as its runner reported it: its fields are not checked.
  if (type === "subagent" && isRecord(data.event))
    return readUsage({ type: data.event.event_type, data: data.event });
  if (type !== "step_end" || !isRecord(data.usage)) return undefined;
  const { model, input_tokens, output_tokens } = data.usage;
  if (!isCount(input_tokens) || !isCount(output_tokens)) return undefined;
  const name = typeof model === "string" ? shortName(model) : null;
  return { model: name, input_tokens, output_tokens };
}

/** Without half a character at its end, which cannot be stored. */
function shortName(model: string): string {
  return model.slice(0, MAX_MODEL_NAME).replace(/[\ud800-\udbff]$/, "");
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && value >= 0 && value <= MAX_TOKENS;
}
