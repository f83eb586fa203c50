import { stdinEvent } from "@tenterhook/file-hooks/run";
import { typedCommand } from "@tenterhook/internal";
import { EVENT_NAMES, type EventName, eventRow } from "@tenterhook/protocol";
import { bold, type Cell, dim, print, printJson, table } from "../terminal.ts";
import { describedEvent } from "./described-event.ts";
import { eventNamed, plainText } from "./resolve-event.ts";

/** Prints what a script reads at an event and its possible answers; without an event, lists the events. */
export async function describeScript(name: string | undefined, json: boolean): Promise<void> {
  if (name === undefined) listEvents(json);
  else await describeEvent(eventNamed(name), json);
}

function listEvents(json: boolean): void {
  const events = EVENT_NAMES.filter((event) => eventRow(event).layer === "agent");
  if (json) {
    printJson(
      events.map((event) => ({ event, when: eventRow(event).when, block: eventRow(event).block.means })),
    );
    return;
  }
  const rows = events.map((event): Cell[] => {
    const { when, block } = eventRow(event);
    return [
      { text: event, style: bold },
      plainText(when),
      { text: `block: ${plainText(block.means)}`, style: dim },
    ];
  });
  print(table(rows));
  print(`\n${dim(`For details: ${typedCommand()} explain before_tool --script`)}`);
}

async function describeEvent(event: EventName, json: boolean): Promise<void> {
  const { when, tool } = eventRow(event);
  const { payload } = await describedEvent(
    { name: event, ...(tool && { tool: "Shell", input: '{"command":"rm -rf build"}' }) },
    { workDir: process.cwd(), sessionId: "session-1" },
  );
  const example = stdinEvent(event, payload as never, { workDir: process.cwd() });
  const answers = answersAt(event);
  if (json) {
    printJson({ event, when, example: JSON.parse(example), answers });
    return;
  }
  print(`${bold(event)}: ${plainText(when)}\n`);
  print(`${bold("Standard input of a script")}\n${example}`);
  print(`${bold("Possible answers")}`);
  print(table(answers.map(answerRow)));
  print(`\n${dim("Any other exit code or an invalid answer is a failure: on_error decides.")}`);
}

function answerRow({ exit, stdout, stderr, means }: PossibleAnswer): Cell[] {
  const printed = stdout === undefined ? (stderr === undefined ? "" : `${stderr} on standard error`) : stdout;
  return [{ text: `  exit ${exit}`, style: bold }, printed, { text: plainText(means), style: dim }];
}

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
