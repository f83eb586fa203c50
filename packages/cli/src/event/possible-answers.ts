import { type EventName, eventRow } from "@tenterhook/protocol";

/** One way for a script to answer an event. */
export interface PossibleAnswer {
  readonly exit: 0 | 2;
  readonly stdout?: string;
  readonly stderr?: string;
  readonly means: string;
}

/** The answers that a script may give at an event, by the event's row in the table. */
export function answersAt(event: EventName): readonly PossibleAnswer[] {
  const { changes, input, result, adds, outcomes, block, stop } = eventRow(event);
  const changed = Object.keys(changes).flatMap((field): PossibleAnswer[] => {
    const key = field === input ? "modified_input" : field === result ? "modified_result" : undefined;
    if (key === undefined) return [];
    const value = changes[field] === "string" ? '"…"' : "{ … }";
    return [{ exit: 0, stdout: `{"${key}": ${value}}`, means: `it proceeds with another ${spaced(field)}` }];
  });
  return [
    { exit: 0, stdout: "nothing", means: "no objection" },
    ...changed,
    ...(adds === undefined
      ? []
      : [
          {
            exit: 0,
            stdout: '{"additional_context": "…"}',
            means: `it proceeds, and adds ${adds} for the model`,
          } as const,
        ]),
    { exit: 0, stdout: '{"decision": "deny", "reason": "…"}', means: block.means },
    { exit: 2, stderr: "the reason", means: block.means },
    ...(outcomes.includes("ask")
      ? [{ exit: 0, stdout: '{"decision": "ask", "reason": "…"}', means: "a person decides" } as const]
      : []),
    {
      exit: 0,
      stdout: '{"decision": "stop", "reason": "…"}',
      means: stop === "stop" ? "the whole run ends" : "recorded: nothing is left to stop",
    },
  ];
}

/** `toolInput` as `tool input`. */
function spaced(field: string): string {
  return field.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}
