import {
  type ArithmeticCommandExpansion,
  type Command,
  type CommandExpansionPart,
  forEachChild,
  type Redirection as ParsedRedirection,
  type ParsedScript,
  type ProcessSubstitutionPart,
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
import { runsText, startedBy } from "./started-commands.ts";
import { assignmentWord, toAssignment, toRedirection, toWord } from "./words.ts";

/** So deeply are substitutions, and texts such as that of `sh -c`, read. */
const MAX_DEPTH = 20;
/** So many characters of texts in the line are read, again for each text that they are in. */
const MAX_INNER = 500_000;
/** So many commands may commands start. */
const MAX_STARTED = 20_000;

/** What is found so far. */
interface Reading {
  readonly commands: SimpleCommand[];
  problem: string | undefined;
  /** How many characters of texts, and how many started commands, may still be read. */
  characters: number;
  started: number;
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
  const reading: Reading = {
    commands: [],
    problem: undefined,
    characters: MAX_INNER,
    started: MAX_STARTED,
  };
  const place: Place = { scope: { outer: undefined }, input: "inherited", starter: undefined, depth: 0 };
  try {
    readScript(reading, parse(line), place);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    reading.problem = "it is nested too deeply";
  }
  const { commands, problem } = reading;
  return { commands, problem };
}

/** A text that a command gives to a shell. */
function readText(reading: Reading, text: string, place: Place): void {
  if (mayReadInner(reading, text, place)) readScript(reading, parse(text), place);
}

function mayReadInner(reading: Reading, text: string, { depth }: Place): boolean {
  reading.characters -= text.length;
  if (depth > MAX_DEPTH) reading.problem ??= "it is nested too deeply";
  else if (reading.characters < 0) reading.problem ??= "it has too many texts in texts";
  else return true;
  return false;
}

function readScript(reading: Reading, script: ParsedScript, place: Place): void {
  const [error] = script.errors ?? [];
  if (error !== undefined) reading.problem ??= error.message;
  for (const statement of script.commands) readNode(reading, statement, place);
}

/** A script inside of another: it has a scope of its own. */
function readInner(
  reading: Reading,
  part: CommandExpansionPart | ArithmeticCommandExpansion | ProcessSubstitutionPart,
  place: Place,
): void {
  const at = inner(place);
  // The script is parsed when it is read.
  if (mayReadInner(reading, part.text, at) && part.script !== undefined) readScript(reading, part.script, at);
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
      const { redirections, input = place.input } = readRedirections(reading, node.redirects, place);
      const group = add(reading, { words: [], assignments: [], redirections }, place);
      // What reads a text of the group finds it there.
      const isGiven = input === "given" && redirections.some(isText);
      readNode(reading, node.command, { ...place, input: isGiven ? [group] : input });
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
      readInner(reading, node, place);
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
  const { redirections, input = place.input } = readRedirections(reading, command.redirects, place);
  forEachChild(command, (child) => {
    if (!isRedirection(child)) readNode(reading, child, place);
  });
  const at = { ...place, input };
  addStarted(reading, add(reading, { words, assignments, redirections }, at), at);
}

function isRedirection(node: SyntaxNode): node is ParsedRedirection {
  return node.type === "Redirect" || node.type === "HereString" || node.type === "HereDoc";
}

/** The redirections, after the commands in their words and texts, and the input that they give. */
function readRedirections(
  reading: Reading,
  redirections: readonly ParsedRedirection[],
  place: Place,
): { readonly redirections: readonly Redirection[]; readonly input: CommandInput | undefined } {
  let input: CommandInput | undefined;
  const read = redirections.map((redirection) => {
    const before = reading.commands.length;
    if (redirection.type === "HereDoc" && redirection.closing === undefined)
      reading.problem ??= "a here-document has no end";
    forEachChild(redirection, (child) => readNode(reading, child, place));
    const one = toRedirection(redirection);
    if (one.operator.startsWith("<") && (one.descriptor ?? 0) === 0)
      input = inputOf(one, reading.commands.slice(before));
    return one;
  });
  return { redirections: read, input };
}

/** What a redirection of the input gives; `inside` are the commands in its word. */
function inputOf(redirection: Redirection, inside: readonly SimpleCommand[]): CommandInput {
  const { value } = redirection.target;
  if (isText(redirection)) return "given";
  if (isInheritedInput(value)) return "inherited";
  return value.startsWith("<(") ? inside : "given";
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
  for (const started of startedBy(command.words)) {
    if (place.depth >= MAX_DEPTH || --reading.started < 0) {
      reading.problem ??= place.depth >= MAX_DEPTH ? "it is nested too deeply" : "it has too many commands";
      return;
    }
    const input = started.hasInput ? place.input : "given";
    const { scope } = started.isInShell ? place : inner(place);
    const at: Place = { scope, input, starter: command, depth: place.depth + 1 };
    if (started.type === "text") readText(reading, started.text, at);
    else {
      const parts = { words: started.words, assignments: [], redirections: command.redirections };
      addStarted(reading, add(reading, parts, at), at);
    }
  }
  if (!runsText(command.words)) return;
  for (const { target } of textsFor(command))
    readText(reading, target.value, inner({ ...place, starter: command }));
}

/** The texts that are the input of a command: its own, or those of the group that it is in. */
function textsFor({ redirections, input }: SimpleCommand): readonly Redirection[] {
  const own = redirections.filter(isText);
  if (own.length > 0 || typeof input === "string") return own;
  return input.flatMap((each) => (each.words.length === 0 ? each.redirections.filter(isText) : []));
}
