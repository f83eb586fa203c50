import {
  ALLOWED_MS,
  ASKED_MS,
  type AskedInput,
  allow as allowCall,
  findWaiting,
  listWaiting,
  readCode,
  type WaitingCall,
} from "@tenterhook/bridges/allowances";
import { loadClient } from "@tenterhook/bridges/clients";
import { findLocations } from "@tenterhook/file-hooks";
import { messageOf, typedCommand } from "@tenterhook/internal";
import { span } from "../ago.ts";
import { defineCommand, EXIT, type ExitCode, option } from "../command.ts";
import {
  bold,
  count,
  dim,
  green,
  jsonText,
  oneLine,
  print,
  printJson,
  styled,
  table,
  yellow,
} from "../terminal.ts";
import { Questions } from "../trust/questions.ts";
import { requirePerson } from "../trust/require-person.ts";
import { UsageError } from "../usage-error.ts";

/** A list shows so much of an input; the call itself is shown in full. */
const LISTED_LENGTH = 100;
/** The width and height of a terminal that does not say them. */
const USUAL = { columns: 80, rows: 24 };

export const allow = defineCommand({
  usage: "allow CODE | allow --list",
  about:
    "Allows one call of a coding agent that a hook asks about, where the agent cannot ask. The refusal has the code. Shows the call in\n" +
    `full and asks; after a yes, the agent may make this very call once within ${span(ALLOWED_MS)}. A code can be used for ${span(ASKED_MS)}.\n` +
    "Works only on a terminal, not inside an agent.",
  options: {
    list: option.flag("list the calls that can be allowed; works without a terminal"),
  },
  arguments: { min: 0, max: 1 },
  examples: [
    { command: "tenterhook allow 7F3K", means: "show the call of this code, and allow it once after a yes" },
    { command: "tenterhook allow --list", means: "what waits for an answer" },
  ],
  async run({ list, json }, [given]) {
    const { state } = findLocations(process.cwd(), process.env);
    if (list) return listCalls(state, json);
    await requirePerson("what is allowed");
    if (given === undefined)
      throw new UsageError("missing code.", `What waits for an answer: ${typedCommand()} allow --list`);
    const waiting = findWaiting(state, readCode(given) ?? "", Date.now());
    if (waiting === undefined) throw noSuchCode(given);
    const isAllowed = (await isConfirmed(waiting, json)) && store(state, waiting);
    if (json) printJson({ code: waiting.code, allowed: isAllowed });
    else
      print(
        isAllowed
          ? green(`Allowed once. Let the agent try again within ${span(ALLOWED_MS)}.`)
          : yellow("Not allowed."),
      );
    return isAllowed ? EXIT.ok : EXIT.wrong;
  },
});

function noSuchCode(given: string): UsageError {
  return new UsageError(
    `no call waits for an answer with the code "${oneLine(given)}".`,
    `A code can be used once, within ${span(ASKED_MS)} of the refusal. Let the agent try again, or see ${typedCommand()} allow --list`,
  );
}

function store(state: string, waiting: WaitingCall): boolean {
  let isStored: boolean;
  try {
    isStored = allowCall(state, waiting, Date.now());
  } catch (error) {
    throw new UsageError(`the answer cannot be stored: ${messageOf(error)}.`, `Check ${state}.`);
  }
  if (!isStored) throw noSuchCode(waiting.code);
  return true;
}

/** Shows a call in pages, and asks. */
async function isConfirmed(waiting: WaitingCall, json: boolean): Promise<boolean> {
  // With --json, standard output contains only the result.
  const output = json ? process.stderr : process.stdout;
  const questions = new Questions(output);
  try {
    const lines = [...(await formatCall(waiting, output.columns || USUAL.columns))];
    const height = Math.max(5, (output.rows || USUAL.rows) - 2);
    while (lines.length > 0) {
      output.write(`${styled(lines.splice(0, height).join("\n"))}\n`);
      if (lines.length === 0) break;
      const answer = await questions.askText(
        `(${count(lines.length, "more line")}: Enter shows them, q ends) `,
      );
      if (answer === undefined || /^q/i.test(answer)) return false;
    }
    return await questions.ask("Allow this call once?");
  } finally {
    questions.close();
  }
}

/** A call with all that it is allowed for, in lines that fit the terminal. */
async function formatCall({ call, askedAt }: WaitingCall, columns: number): Promise<readonly string[]> {
  const { client, session, project, folder, questions, rest } = call;
  const facts = table([
    ["agent", (await loadClient(client))?.name ?? client],
    ["session", session === "" ? "any" : session],
    ["project", project === "" ? "none" : project],
    ["folder", folder],
    ["asked", `${span(Math.max(0, Date.now() - askedAt))} ago`],
  ]);
  return [
    ...facts.split("\n").flatMap((line) => wrap(line, columns)),
    ...questions.flatMap(({ rule, reason, ...judged }) => [
      "",
      ...wrap(`${rule} asks: ${oneLine(reason)}`, columns).map(yellow),
      ...formatTool(judged, columns),
    ]),
    ...(rest.length === 0 ? [] : ["", "The same call does this too; no hook asks about it:"]),
    ...rest.flatMap((part) => formatTool(part, columns)),
    "",
  ];
}

function formatTool({ tool, input }: AskedInput, columns: number): readonly string[] {
  const width = Math.max(20, columns - 4);
  return [
    bold(oneLine(tool)),
    ...Object.entries(input as object).flatMap(([name, value]) => [
      `  ${oneLine(name)}`,
      ...(typeof value === "string" ? value : jsonText(value, 2))
        .split("\n")
        .flatMap((line) => wrap(line, width))
        // With a bar before it, no line can imitate output of the command.
        .map((line) => `  ${dim("│")} ${line}`),
    ]),
  ];
}

/** A text in lines of a width, with what is not visible escaped. Characters outside of ASCII may be two columns wide. */
function wrap(text: string, width: number): readonly string[] {
  const shown = oneLine(text).replaceAll("\t", "\\t");
  const size = /^[ -~]*$/.test(shown) ? width : Math.floor(width / 2);
  return shown.match(new RegExp(`.{1,${size}}`, "gsu")) ?? [""];
}

async function listCalls(state: string, json: boolean): Promise<ExitCode> {
  const now = Date.now();
  const waiting = listWaiting(state, now);
  if (json) {
    printJson({
      waiting: waiting.map(({ code, call, askedAt }) => ({
        code,
        client: call.client,
        session_id: call.session,
        project: call.project,
        work_dir: call.folder,
        asked_at: new Date(askedAt).toISOString(),
        questions: call.questions.map(({ rule, reason, tool, input }) => ({
          hook: rule,
          reason,
          tool_name: tool,
          tool_input: input,
        })),
      })),
    });
  } else if (waiting.length === 0) print("No call waits for an answer.");
  else
    print(
      table(
        waiting.map(({ code, call: { client, questions }, askedAt }) => {
          const [first] = questions;
          const input = oneLine(jsonText(first?.input ?? {}));
          return [
            { text: code, style: bold },
            `${span(Math.max(0, now - askedAt))} ago`,
            client,
            questions.map(({ rule }) => rule).join(", "),
            `${first?.tool} ${input.length > LISTED_LENGTH ? `${input.slice(0, LISTED_LENGTH)}…` : input}`,
          ];
        }),
      ),
    );
  return EXIT.ok;
}
