import { startedBy } from "../started-commands.ts";
import { ANY_FOLDERS, isKnown, UNKNOWN, unknownParts } from "../values.ts";
import type { Call, Programs } from "./row.ts";

/** Programs that run a command for each of many arguments. What they start is read by the table of wrappers. */
export const STARTERS: Programs = {
  "find gfind": { run: find, style: "posix" },
  "xargs gxargs": {
    values: "I E J n P d L s a replace? max-args max-procs delimiter arg-file",
    style: "posix",
    run: runForInput,
  },
  parallel: {
    values: "j N n L I a jobs arg-file max-args colsep delay results joblog timeout retries",
    style: "posix",
    run: runForArguments,
  },
  "fd fdfind": {
    values: "e extension t type d max-depth E exclude x exec X exec-batch S size o owner",
    style: "posix",
    run: (call) => {
      const at = call.words.findIndex((word) => /^(?:-x|-X|--exec|--exec-batch)$/.test(word));
      const end = call.operands.findIndex((word) => word.startsWith("-"));
      const roots = call.operands.slice(1, end < 0 ? undefined : end);
      for (const root of roots.length > 0 ? roots : ["."]) {
        const path = `${root}/${ANY_FOLDERS}/${UNKNOWN}`;
        const command = call.words.slice(at + 1);
        const words = command.some((word) => word.includes("{"))
          ? withPath(command, path)
          : [...command, path];
        call.print(at >= 0 ? call.start(words) : `${path}\n`);
      }
    },
  },
  "tmux screen byobu": { run: runInTerminal },
  "env printenv": { prints: "environment", operands: "-*" },
};

/** Tests of names, by which it is known what is found. */
const NAMES = /^-i?(?:name|path|wholename)$/;
const VALUED =
  /^-(?:i?name|i?path|i?wholename|i?lname|i?regex|regextype|[acm]?(?:min|time|newer)|newer[aBcmt]{2}|type|xtype|size|perm|user|group|uid|gid|links|inum|fstype|samefile|maxdepth|mindepth|used|printf|fprintf|context)$/;

/** Where it looks, what it finds there, and what it does with that. */
function find(call: Call): void {
  const words = call.words.filter((word, index) => !(index < 3 && /^-[HLP]+$|^-O\d$|^-D$/.test(word)));
  const end = words.findIndex((word) => /^[-(!]/.test(word));
  const roots = end === 0 || words.length === 0 ? ["."] : words.slice(0, end < 0 ? undefined : end);
  const tests = end < 0 ? [] : words.slice(end);
  const names = tests.flatMap((test, index) => (NAMES.test(test) ? [tests[index + 1] ?? ""] : []));
  const isOnly = names.length > 0 && !tests.some((test) => /^(?:!|-not|-o|-or)$/.test(test));
  const found = roots.flatMap((root) => (isOnly ? names.map((name) => foundAt(root, name)) : [root]));
  const inner = isOnly ? found : roots.flatMap((root) => [root, `${root}/${ANY_FOLDERS}`]);
  for (let at = 0; at < tests.length; at++) {
    const test = tests[at] ?? "";
    if (test === "-delete")
      for (const [index, path] of found.entries()) call.effect(deleteName(call, roots, index, isOnly), path);
    else if (/^-f(?:print0?|printf|ls)$/.test(test)) call.write(tests[at + 1] ?? "", UNKNOWN);
    else if (/^-(?:exec|execdir|ok|okdir)$/.test(test)) {
      const from = at + 1;
      while (at < tests.length && !/^[;+]$/.test(tests[at] ?? "")) at++;
      const command = tests.slice(from, at);
      for (const path of inner) call.print(call.start(withPath(command, path)));
    }
    if (VALUED.test(test)) at++;
  }
  call.print(`${inner.join("\n")}\n`);
}

function foundAt(root: string, name: string): string {
  const pattern = name.replaceAll("*", "\uE010").replaceAll("?", "\uE011");
  return name.includes("/")
    ? `${root}/${ANY_FOLDERS}/${pattern.replace(/^.*\//, "")}`
    : `${root}/${ANY_FOLDERS}/${pattern}`;
}

/** Files that are found by a name inside of the project are single files. */
function deleteName(
  call: Call,
  roots: readonly string[],
  index: number,
  isByName: boolean,
): "delete" | "delete.recursive" {
  const { path } = call.target(roots[index] ?? roots[0] ?? ".");
  return isByName && (path === call.folder || path.startsWith(`${call.folder}/`))
    ? "delete"
    : "delete.recursive";
}

/** Every `{}` is a path that is found; without one it is the last word. */
function withPath(command: readonly string[], path: string): readonly string[] {
  return command.some((word) => word.includes("{}"))
    ? command.map((word) => word.replaceAll("{}", path))
    : command;
}

/** The last word of `tmux new -d 'text'` is for a shell. */
function runInTerminal(call: Call): void {
  const isStarting = call.has("d X") || /^(?:new|neww|send|split|run|if)/.test(call.words[0] ?? "");
  if (isStarting) call.startText(call.words.at(-1) ?? "");
}

function runForInput(call: Call): void {
  const file = call.value("a arg-file");
  const input = file === undefined ? call.input : call.read(file);
  const words = toWords(startedBy([call.name, ...call.words]));
  const command = words.length > 0 ? words : ["echo"];
  const items = input.split(/[\s\0]+/).filter((item) => item !== "");
  if (items.length === 0 && call.has("r no-run-if-empty")) return;
  const values = items.length > 0 || isKnown(input) ? items : [UNKNOWN + unknownParts(input)];
  const placeholder = call.value("I J") ?? (call.has("i replace") ? "{}" : undefined);
  if (placeholder === undefined) call.print(call.start([...command, ...values], { input: "" }));
  else
    for (const value of values)
      call.print(
        call.start(
          command.map((word) => word.replaceAll(placeholder, value)),
          { input: "" },
        ),
      );
}

function runForArguments(call: Call): void {
  const at = call.words.findIndex((word) => /^:::\+?$/.test(word));
  const given =
    at < 0
      ? call.input.split("\n").filter((line) => line !== "")
      : call.words.slice(at + 1).filter((word) => !/^:::\+?$/.test(word));
  const [started] = startedBy([call.name, ...call.words]);
  const text = started?.type === "text" ? started.text : "";
  for (const value of given.length > 0 ? given : [UNKNOWN + unknownParts(call.input)]) {
    const line = /\{[#%./]*\}/.test(text) ? text.replaceAll(/\{[#%./]*\}/g, value) : `${text} ${value}`;
    call.print(call.startText(line, { input: "" }));
  }
}

function toWords(started: ReturnType<typeof startedBy>): readonly string[] {
  const [first] = started;
  return first?.type === "words" ? first.words : [];
}
