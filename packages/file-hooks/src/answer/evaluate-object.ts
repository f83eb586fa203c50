import type { DecisionWord } from "./answer-keys.ts";
import { type Answer, answerOf, rank, stricter } from "./answer-of.ts";
import { JsonObject } from "./find-json.ts";
import { partsOf, plainValue } from "./json-parts.ts";
import { mentionsRefusal } from "./mentions-answer.ts";
import { stricterNotBy, type WrittenNotBy } from "./not-by.ts";

/** What an object decides as a whole. */
export interface Evaluated {
  readonly decision?: DecisionWord;
  readonly reason?: unknown;
  /** Who may not decide, if a part of it asks. */
  readonly notBy?: WrittenNotBy;
  readonly unreadable?: string;
  readonly notes: readonly string[];
}

/** What an object decides, including refusals inside it: text around a hook's answer must not be able to wrap it away. */
export function evaluateObject(object: JsonObject, answer: Answer, withChanges: boolean): Evaluated {
  let decision = answer.decision;
  let { reason, notBy } = answer;
  let unreadable =
    answer.unreadable === undefined
      ? undefined
      : `its decision is ${formatValue(plainValue(answer.unreadable))}; it can be allow, deny, ask or stop`;
  const notes = [...answer.tolerated];
  for (const part of partsOf(object, withChanges)) {
    if (typeof part === "string") {
      if (!answer.isAnswer && mentionsRefusal(part))
        unreadable ??= "it printed an answer as text inside JSON";
      continue;
    }
    if (part === object || !(part instanceof JsonObject)) continue;
    const inner = answerOf(part);
    if (inner.isCertain) notBy = stricterNotBy(notBy, inner.notBy);
    if (!inner.isCertain || rank(inner.decision) <= Math.max(rank(decision), 0)) continue;
    decision = stricter(inner.decision, decision);
    reason = inner.reason;
    notes.push("its decision is inside another object; print it at the top");
  }
  return {
    ...(decision !== undefined && { decision }),
    ...(reason !== undefined && { reason: plainValue(reason) }),
    ...(notBy !== undefined && { notBy }),
    ...(unreadable !== undefined && { unreadable }),
    notes,
  };
}

/** A value for a message, shortened. */
export function formatValue(value: unknown): string {
  return (JSON.stringify(value) ?? String(value)).slice(0, 80);
}
