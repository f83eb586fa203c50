import {
  type AndOr,
  type Assignment,
  type Command,
  type CommandNode,
  type CompoundList,
  forEachChild,
  type ParsedScript,
  type Pipeline,
  parse,
  type Redirection,
  type Statement,
  type SyntaxNode,
  type While,
} from "unbash";
import { CLASSES, ELEMENT, FILE, UNKNOWN, unknownParts, written } from "../values.ts";
import {
  BOUNDS,
  BoundReached,
  bounded,
  captured,
  contentOf,
  createPath,
  type Descriptor,
  findTarget,
  fork,
  inputOf,
  note,
  noteExecution,
  type Process,
  readFile,
  restore,
  step,
  writeFile,
} from "./state.ts";
import { expandParts, expandValue, expandWord, type Substitute } from "./words.ts";

/** Runs a text as a shell does. */
export function runText(process: Process, text: string): void {
  if (text.trim() === "") return;
  const { reading } = process;
  reading.texts -= text.length;
  if (reading.texts < 0) throw new BoundReached("it has too many texts in texts");
  noteExecution(process, text);
  // `cat file | sh` is `sh file`.
  if (/^[\uE000-\uE00F\s]*$/.test(text) && text.includes(FILE) && !text.includes(UNKNOWN))
    note(process, "execute.file");
  else runScript(process, parse(text));
}

/** Runs a file: what the line wrote to it is read. */
export function runFile(process: Process, path: string, parameters: readonly string[]): void {
  const content = contentOf(process, path);
  const isRemembered = hasContent(process, path) || /[\uE004-\uE006]/.test(content);
  if (!isRemembered && !/^\/(?:dev|proc)\//.test(path)) {
    note(process, "execute.file", [findTarget(process, path)]);
    return;
  }
  const before = process.parameters;
  process.parameters = parameters;
  runText(process, content);
  process.parameters = before;
}

/** Whether the line has written a file. */
export function hasContent(process: Process, path: string): boolean {
  return process.reading.contents.has(findTarget(process, path).path);
}

function runScript(process: Process, script: ParsedScript): void {
  const [error] = script.errors ?? [];
  // A shell runs what stands before a mistake.
  if (error !== undefined) note(process, "unreadable", [], error.message);
  runStatements(process, script.commands);
}

/** What runs in the background may run after what follows it, too. */
function runStatements(process: Process, statements: readonly Statement[]): void {
  for (const statement of statements) runNode(aside(process, statement), statement.command);
  for (const statement of statements)
    if (statement.background === true && statements.length > 1)
      runNode(aside(process, statement), statement.command);
}

function aside(process: Process, { background }: Statement): Process {
  return background === true ? fork(process, { isParallel: true, depth: process.depth }) : process;
}

export function runNode(process: Process, node: SyntaxNode): void {
  step(process);
  switch (node.type) {
    case "Command":
      runCommand(process, node);
      break;
    case "Pipeline":
      runPipeline(process, node);
      break;
    case "AndOr":
      runAndOr(process, node);
      break;
    case "Redirected":
      withRedirections(process, node.redirects, () => runNode(process, node.command));
      break;
    case "Subshell":
      runNode(fork(process), node.body);
      break;
    case "BraceGroup":
      runNode(process, node.body);
      break;
    case "CompoundList":
      runStatements(process, node.commands);
      break;
    case "If": {
      runNode(process, node.clause);
      const branches: SyntaxNode[] = [node.then];
      for (const { clause, then } of node.elif) {
        runNode(process, clause);
        branches.push(then);
      }
      if (node.else !== undefined) branches.push(node.else);
      runBranches(process, branches, node.else === undefined);
      break;
    }
    case "Case":
      expandValue(node.word, process, substituteIn(process));
      runBranches(
        process,
        node.items.map(({ body }) => body),
        true,
      );
      break;
    case "For":
    case "Select":
      runFor(process, node.name.text, node.wordlist, node.body);
      break;
    case "While":
      runWhile(process, node);
      break;
    case "ArithmeticFor":
      if (node.test === undefined && leavesJobs(node.body)) note(process, "exhaust");
      runSubstitutions(process, node);
      runNode(process, node.body);
      runNode(process, node.body);
      break;
    case "Function":
      process.functions.set(node.name.value, node.body);
      break;
    case "Coproc":
      runNode(fork(process, { isParallel: true }), node.body);
      break;
    default:
      runSubstitutions(process, node);
  }
}

/** What follows `false &&` does not run. */
function runAndOr(process: Process, { commands, operators }: AndOr): void {
  let isFalse = false;
  for (const [index, command] of commands.entries()) {
    const operator = operators[index - 1];
    if (operator === "||" && !isFalse) runBranches(process, [command], true);
    else if (operator !== "&&" || !isFalse) {
      runNode(process, command);
      isFalse = command.type === "Command" && command.name?.text === "false";
    }
  }
}

/** Words of tests and numbers have no effect but that of what they substitute. */
function runSubstitutions(process: Process, node: SyntaxNode): void {
  forEachChild(node, (child) => {
    if (child.type === "Word") expandValue(child, process, substituteIn(process));
    else if (child.type === "CommandExpansion" || child.type === "ArithmeticCommandExpansion")
      substituteIn(process).output(child.script, child.text);
    else if (child.type !== "CompoundList") runSubstitutions(process, child);
  });
}

/** Which branch runs is not known: what they leave different is not known either. */
function runBranches(process: Process, branches: readonly SyntaxNode[], mayRunNone: boolean): void {
  const ends = branches.map((branch) => {
    const end = fork(process, { depth: process.depth });
    runNode(end, branch);
    for (const [name, body] of end.functions) process.functions.set(name, body);
    return end;
  });
  const all = mayRunNone ? [...ends, fork(process, { depth: process.depth })] : ends;
  const names = new Set(ends.flatMap(({ variables }) => [...variables.keys()]));
  for (const name of names) {
    const values = new Set(all.map(({ variables }) => variables.get(name)));
    // One that was not set before has what the branch gives it: without it, nothing could be said.
    const known = [...values].filter((value) => value !== undefined);
    if (known.length === 1) process.variables.set(name, known[0] ?? UNKNOWN);
    else process.variables.set(name, UNKNOWN + unknownParts(known.join("")));
  }
  for (const { descriptors } of ends)
    if ([...descriptors.keys()].some((number) => !process.descriptors.has(number)))
      process.descriptors = new Map([...descriptors, ...process.descriptors]);
  const folders = new Set(all.map(({ folder }) => folder));
  if (folders.size === 1) process.folder = [...folders][0] ?? UNKNOWN;
  else if (folders.size > 1) process.folder = UNKNOWN;
}

function runPipeline(process: Process, { commands }: Pipeline): void {
  if (commands.length === 1) {
    for (const command of commands) runNode(process, command);
    return;
  }
  let input: string | undefined = process.descriptors.get(0)?.input;
  for (const [index, command] of commands.entries()) {
    const inner = fork(process, { isParallel: true, depth: process.depth });
    if (index === commands.length - 1) runPart(inner, command, input);
    else input = captured(inner, (each) => runNode(each, command), input);
  }
}

function runPart(process: Process, command: CommandNode, input: string | undefined): void {
  const descriptors = new Map(process.descriptors);
  if (input !== undefined) descriptors.set(0, { input });
  runNode({ ...process, descriptors }, command);
}

function runFor(process: Process, name: string, list: Command["args"] | undefined, body: SyntaxNode): void {
  const substitute = substituteIn(process);
  const values =
    list === undefined
      ? process.parameters.slice(1)
      : list.flatMap((word) => (word.type === "Word" ? expandWord(word, process, substitute) : [word.text]));
  if (values.length > BOUNDS.turns) throw new BoundReached("a loop has too many turns");
  for (const value of values) {
    process.variables.set(name, value);
    runNode(process, body);
  }
}

/** Twice, since a turn may leave something to the next one; while there is input left, for each of its lines. */
function runWhile(process: Process, { clause, body, kind }: While): void {
  if (kind === "while" && isAlwaysTrue(clause) && leavesJobs(body)) note(process, "exhaust");
  for (let turn = 0; ; turn++) {
    if (turn > BOUNDS.turns) throw new BoundReached("a loop has too many turns");
    const before = inputOf(process);
    runNode(process, clause);
    const isReading = inputOf(process) !== before;
    runNode(process, body);
    if (turn > 0 && (!isReading || inputOf(process) === "")) return;
    if (isReading && inputOf(process) === "") return;
  }
}

function isAlwaysTrue({ commands }: CompoundList): boolean {
  const [only] = commands;
  const command = commands.length === 1 ? only?.command : undefined;
  if (command?.type === "ArithmeticCommand") return /^\s*[1-9]\d*\s*$/.test(command.body);
  if (command?.type !== "Command") return false;
  const text = [command.name, ...command.args].map((word) => word?.text ?? "").join(" ");
  return /^(?:true|:|\/bin\/true|(?:test|\[) \w+(?: \])?)$/.test(text);
}

/** Whether a turn of a loop starts jobs that nothing waits for. */
function leavesJobs(body: CompoundList): boolean {
  const isOf = (statement: Statement, names: RegExp) =>
    statement.background !== true &&
    statement.command.type === "Command" &&
    names.test(statement.command.name?.text ?? "");
  if (body.commands.some((statement) => isOf(statement, /^(?:break|exit|return)$/))) return false;
  const last = body.commands.findLastIndex(({ background }) => background === true);
  if (body.commands.some((statement) => isOf(statement, /^disown$/)) && last >= 0) return true;
  if (last >= 0 && !body.commands.slice(last + 1).some((statement) => isOf(statement, /^(?:wait|sleep)$/)))
    return true;
  return body.commands.some(({ command }) => command.type === "Subshell" && leavesJobs(command.body));
}

function runCommand(process: Process, command: Command): void {
  const substitute = substituteIn(process);
  const words: string[] = [];
  if (command.name !== undefined) words.push(...expandWord(command.name, process, substitute));
  for (const argument of command.args) {
    if (argument.type === "Word") words.push(...expandWord(argument, process, substitute));
    else words.push(argumentOf(process, argument));
  }
  const assigned = command.prefix.filter((part): part is Assignment => part.type === "Assignment");
  if (words.length === 0) {
    for (const assignment of assigned) assign(process, assignment);
    withRedirections(process, command.redirects, () => {});
    return;
  }
  const before = new Map(process.variables);
  for (const assignment of assigned) assign(process, assignment);
  process.command = written(words.join(" "));
  const isExec = words[0] === "exec" && words.every((word, index) => index === 0 || word.startsWith("-"));
  withRedirections(process, command.redirects, () => process.reading.runWords(process, words), isExec);
  for (const { name } of assigned) restore(process, name, before.get(name));
  process.variables.set("_", words.at(-1) ?? "");
}

/** `a=b` behind a name, as of `export` and `dd`. */
function argumentOf(process: Process, assignment: Assignment): string {
  const { value, name, text } = assignment;
  if (value.type === "ArrayValue") {
    assign(process, assignment);
    return name;
  }
  return text.slice(0, text.indexOf("=") + 1) + expandValue(value, process, substituteIn(process));
}

function assign(process: Process, { name, value, append, index }: Assignment): void {
  const substitute = substituteIn(process);
  if (value.type === "ArrayValue") {
    const elements = value.elements.flatMap((element) => expandWord(element, process, substitute));
    const before = append === true ? process.variables.get(name)?.split(ELEMENT) : undefined;
    process.variables.set(name, bounded([...(before ?? []), ...elements].join(ELEMENT)));
    return;
  }
  const given = expandValue(value, process, substitute);
  if (index !== undefined)
    process.variables.set(name, bounded(`${process.variables.get(name) ?? UNKNOWN}${ELEMENT}${given}`));
  else if (append === true)
    process.variables.set(name, bounded((process.variables.get(name) ?? UNKNOWN) + given));
  else process.variables.set(name, given);
}

/** How substitutions of a process run: in one of their own. */
export function substituteIn(process: Process): Substitute {
  const runIn = (script: ParsedScript | undefined, text: string) => (inner: Process) => {
    if (script === undefined) note(inner, "unreadable", [], `${text.slice(0, 20)} cannot be read`);
    else runScript(inner, script);
  };
  return {
    output: (script, text) => {
      process.reading.texts -= text.length;
      if (process.reading.texts < 0) throw new BoundReached("it has too many texts in texts");
      const output = captured(fork(process), runIn(script, text));
      // `$(< file)` is what the file has.
      const [, file] = /^\$\(\s*<\s*([^\s|;&<>()]+)\s*\)$/.exec(text) ?? [];
      if (file === undefined) return output;
      const word = parse(`: ${file}`).commands[0]?.command;
      const [path] = word?.type === "Command" ? word.args : [];
      return path?.type === "Word"
        ? contentOf(process, expandValue(path, process, substituteIn(process)))
        : output;
    },
    path: (script, operator) => {
      const { contents, consumers } = process.reading;
      const path = `/dev/fd/${100 + contents.size + consumers.size}`;
      if (operator === "<") contents.set(path, captured(fork(process), runIn(script, path)));
      else {
        const inner = fork(process);
        consumers.set(path, (content) => captured(inner, runIn(script, path), content));
      }
      return path;
    },
  };
}

/** Runs something with files and texts as its input and output. `isLasting`: `exec > file` holds for what follows. */
function withRedirections(
  process: Process,
  redirections: readonly Redirection[],
  run: () => void,
  isLasting = false,
): void {
  if (redirections.length === 0) {
    run();
    return;
  }
  const before = process.descriptors;
  const descriptors = new Map(before);
  let isNamed = isLasting;
  for (const redirection of redirections) if (redirect(process, redirection, descriptors)) isNamed = true;
  process.descriptors = descriptors;
  run();
  for (const descriptor of descriptors.values()) {
    const { path, output } = descriptor;
    // A file that gets nothing is emptied.
    if (
      path !== undefined &&
      output === undefined &&
      !isLasting &&
      ![...before.values()].includes(descriptor)
    )
      writeFile(process, path, "", true);
  }
  if (!isNamed) process.descriptors = before;
}

/** Whether a descriptor has a name, and so lasts. */
function redirect(process: Process, redirection: Redirection, descriptors: Map<number, Descriptor>): boolean {
  const substitute = substituteIn(process);
  const { operator, descriptor } = redirection;
  const isInput = operator.startsWith("<");
  let number = isInput ? 0 : 1;
  if (descriptor?.type === "FileDescriptor") number = descriptor.value;
  else if (descriptor !== undefined) {
    number = 20 + descriptors.size;
    process.variables.set(descriptor.name, String(number));
  }
  if (redirection.type === "HereDoc") {
    const { body, delimiter, closing } = redirection;
    if (closing === undefined) note(process, "unreadable", [], "a here-document has no end");
    const isPlain = delimiter?.quoted === true || body.parts === undefined;
    const plain = delimiter?.quoted === true ? body.text : body.text.replaceAll(/\\([$`\\])/g, "$1");
    const input = isPlain ? plain : expandParts(body.parts ?? [], process, substitute);
    descriptors.set(number, { input: operator === "<<-" ? input.replaceAll(/^\t+/gm, "") : input });
    return false;
  }
  const value = redirection.target === undefined ? "" : expandValue(redirection.target, process, substitute);
  if (operator === "<<<") descriptors.set(number, { input: `${value}\n` });
  else if ((operator === ">&" || operator === "<&") && /^(?:\d+-?|-)$/.test(value)) {
    const other = descriptors.get(Number.parseInt(value, 10));
    if (other === undefined) descriptors.delete(number);
    // The input of a connection that is open for writing comes from there.
    else
      descriptors.set(
        number,
        other.host !== undefined && number === 0 ? { ...other, input: CLASSES.connection } : other,
      );
  } else openFile(process, operator, number, value, descriptors);
  return descriptor?.type === "FileDescriptorVariable";
}

function openFile(
  process: Process,
  operator: string,
  number: number,
  value: string,
  descriptors: Map<number, Descriptor>,
): void {
  const host = /^\/dev\/(?:tcp|udp)\/([^/]+)/.exec(findTarget(process, value).path)?.[1];
  if (host !== undefined) {
    const connection = { host, input: CLASSES.connection };
    descriptors.set(number, connection);
    if (operator === "&>" || operator === ">&") descriptors.set(2, connection);
    return;
  }
  if (operator === "<") {
    descriptors.set(number, { input: readFile(process, value || UNKNOWN) });
    return;
  }
  if (/^\/dev\/(?:stdout|stderr|tty|fd\/[12])$/.test(value)) return;
  const isAppended = operator.endsWith(">>");
  if (!isAppended) writeFile(process, value, "");
  else writeFile(process, value, "", true);
  createPath(process, value, false);
  const opened: Descriptor = {
    path: value,
    ...(operator === "<>" ? { input: contentOf(process, value) } : {}),
  };
  descriptors.set(number, opened);
  if (operator.startsWith("&") || operator === ">&") descriptors.set(2, opened);
}
