import {
  type Command,
  forEachChild,
  type Redirection as ParsedRedirection,
  type ParsedScript,
  parse,
  type SyntaxNode,
} from "unbash";
import {
  type CommandAssignment,
  type CommandInput,
  type CommandLine,
  type CommandScope,
  isInheritedInput,
  isText,
  type Redirection,
  type SimpleCommand,
  type Word,
} from "./simple-command.ts";
import { readsScript, startedBy } from "./started-commands.ts";
import { assignmentWord, toAssignment, toRedirection, toWord } from "./words.ts";

/** So deeply are substitutions, and texts such as that of `sh -c`, read. */
const MAX_DEPTH = 20;
/** Texts of `sh -c` and `eval` are read again, so this ends what repeats itself. */
const MAX_COMMANDS = 20_000;

/** What is found so far. */
interface Reading {
  readonly commands: SimpleCommand[];
  problem: string | undefined;
}

/** Where a part of the line stands. */
interface Place {
  readonly scope: CommandScope;
  readonly input: CommandInput;
  readonly starter: SimpleCommand | undefined;
  readonly depth: number;
}

/** Reads a line of bash or of a POSIX shell without running it. It never throws. */
export function readCommands(line: string): CommandLine {
  const reading: Reading = { commands: [], problem: undefined };
  const place: Place = { scope: { outer: undefined }, input: "inherited", starter: undefined, depth: 0 };
  try {
    readText(reading, line, place);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    reading.problem = "it is nested too deeply";
  }
  return reading;
}

function readText(reading: Reading, text: string, place: Place): void {
  if (place.depth > MAX_DEPTH) reading.problem ??= "it is nested too deeply";
  else if (reading.commands.length > MAX_COMMANDS) reading.problem ??= "it has too many commands";
  else readScript(reading, parse(text), place);
}

function readScript(reading: Reading, script: ParsedScript, place: Place): void {
  const [error] = script.errors ?? [];
  if (error !== undefined) reading.problem ??= error.message;
  for (const statement of script.commands) readNode(reading, statement, place);
}

/** A script inside of another: it has a scope of its own. */
function readInner(reading: Reading, script: ParsedScript | undefined, place: Place): void {
  if (script === undefined) return;
  if (place.depth >= MAX_DEPTH) reading.problem ??= "it is nested too deeply";
  else readScript(reading, script, inner(place));
}

function inner(place: Place): Place {
  return { ...place, scope: { outer: place.scope }, depth: place.depth + 1 };
}

function readNode(reading: Reading, node: SyntaxNode, place: Place): void {
  switch (node.type) {
    case "Command":
      readCommand(reading, node, place);
      break;
    case "Pipeline":
      readPipeline(reading, node.commands, place);
      break;
    case "Redirected": {
      const redirections = readRedirections(reading, node.redirects, place);
      add(reading, { words: [], assignments: [], redirections }, place);
      readNode(reading, node.command, { ...place, input: inputOf(redirections) ?? place.input });
      break;
    }
    case "Subshell":
      readChildren(reading, node, inner(place));
      break;
    case "For":
    case "Select": {
      const assignments = [{ name: node.name.text, values: (node.wordlist ?? []).map(toWord) }];
      add(reading, { words: [], assignments, redirections: [] }, place);
      readChildren(reading, node, place);
      break;
    }
    case "CommandExpansion":
    case "ArithmeticCommandExpansion":
    case "ProcessSubstitution":
      readInner(reading, node.script, place);
      break;
    default:
      readChildren(reading, node, place);
  }
}

function readChildren(reading: Reading, node: SyntaxNode, place: Place): void {
  forEachChild(node, (child) => readNode(reading, child, place));
}

function readPipeline(reading: Reading, commands: readonly SyntaxNode[], place: Place): void {
  let { input } = place;
  for (const command of commands) {
    const before = reading.commands.length;
    readNode(reading, command, { ...place, input });
    input = reading.commands.slice(before);
  }
}

function readCommand(reading: Reading, command: Command, place: Place): void {
  const words: Word[] = [];
  const assignments: CommandAssignment[] = [];
  if (command.name !== undefined) words.push(toWord(command.name));
  for (const part of command.prefix) if (part.type === "Assignment") assignments.push(toAssignment(part));
  for (const argument of command.args) {
    if (argument.type === "Word") words.push(toWord(argument));
    else {
      words.push(assignmentWord(argument));
      assignments.push(toAssignment(argument));
    }
  }
  const redirections = readRedirections(reading, command.redirects, place);
  forEachChild(command, (child) => {
    if (!isRedirection(child)) readNode(reading, child, place);
  });
  const at = { ...place, input: inputOf(redirections) ?? place.input };
  addStarted(reading, add(reading, { words, assignments, redirections }, at), at);
}

function isRedirection(node: SyntaxNode): node is ParsedRedirection {
  return node.type === "Redirect" || node.type === "HereString" || node.type === "HereDoc";
}

/** The redirections, after the commands in their words and texts. */
function readRedirections(
  reading: Reading,
  redirections: readonly ParsedRedirection[],
  place: Place,
): Redirection[] {
  for (const redirection of redirections) {
    if (redirection.type === "HereDoc" && redirection.closing === undefined)
      reading.problem ??= "a here-document has no end";
    forEachChild(redirection, (child) => readNode(reading, child, place));
  }
  return redirections.map(toRedirection);
}

/** What the last redirection of the input gives, if there is one. */
function inputOf(redirections: readonly Redirection[]): CommandInput | undefined {
  const last = redirections.findLast(
    ({ operator, descriptor }) => operator.startsWith("<") && (descriptor ?? 0) === 0,
  );
  if (last === undefined) return undefined;
  return !isText(last) && isInheritedInput(last.target.value) ? "inherited" : "given";
}

function add(
  reading: Reading,
  { words, assignments, redirections }: Pick<SimpleCommand, "words" | "assignments" | "redirections">,
  { input, scope, starter }: Place,
): SimpleCommand {
  const command = { words, assignments, redirections, input, scope, starter };
  reading.commands.push(command);
  return command;
}

/** Adds what a command starts itself, and what that starts. */
function addStarted(reading: Reading, command: SimpleCommand, place: Place): void {
  if (place.depth >= MAX_DEPTH) {
    reading.problem ??= "it is nested too deeply";
    return;
  }
  for (const started of startedBy(command.words)) {
    const input = started.hasInput ? place.input : "given";
    const at: Place = { ...place, input, starter: command };
    if (started.type === "text") readText(reading, started.text, inner(at));
    else {
      const parts = { words: started.words, assignments: [], redirections: command.redirections };
      addStarted(reading, add(reading, parts, at), { ...at, depth: at.depth + 1 });
    }
  }
  if (!readsScript(command.words)) return;
  for (const { target } of command.redirections.filter(isText))
    readText(reading, target.value, inner({ ...place, starter: command }));
}
