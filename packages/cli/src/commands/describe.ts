import { stdinEvent } from "@tenterhook/file-hooks/run";
import { typedCommand } from "@tenterhook/internal";
import { EVENT_NAMES, type EventName, eventRow } from "@tenterhook/protocol";
import { defineCommand, EXIT } from "../command.ts";
import { describedEvent } from "../event/described-event.ts";
import { plainText } from "../event/plain-text.ts";
import { answersAt, type PossibleAnswer } from "../event/possible-answers.ts";
import { eventNamed } from "../event/resolve-event.ts";
import { bold, type Cell, dim, print, printJson, table } from "../terminal.ts";

/** An earlier name of `explain EVENT --script`. */
export const describe = defineCommand({
  usage: "describe [EVENT]",
  about:
    "Lists the events that a HOOK.md can use. With the name of an event, prints an example of the JSON that a script receives\n" +
    "on standard input, and its possible answers.",
  options: {},
  arguments: { min: 0, max: 1 },
  examples: [
    { command: "tenterhook describe", means: "all events" },
    { command: "tenterhook describe before_tool", means: "input and answers of a guard of tool calls" },
    {
      command: "tenterhook describe before_tool --json | jq .example > event.json",
      means: "an event to test a script with",
    },
  ],
  async run({ json }, [name]) {
    await describeScript(name, json);
    return EXIT.ok;
  },
});

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
