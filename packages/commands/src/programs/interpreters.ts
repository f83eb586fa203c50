import type { EffectName } from "../effects.ts";
import { isKnown, UNKNOWN, unknownParts } from "../values.ts";
import type { Call, Programs } from "./row.ts";

/** Programs that run code in a language of their own. Well-known calls in it are read; other code has no effect. */
export const INTERPRETERS: Programs = {
  "python pypy python3 python2 pythonw": {
    values: "c W X m",
    style: "posix",
    run: (call) => interpret(call, "c", "", "m"),
  },
  "node nodejs tsx ts-node": {
    values: "e eval p print r require import loader C conditions",
    style: "posix",
    run: (call) => interpret(call, "e eval p print"),
  },
  deno: {
    style: "posix",
    commands: {
      eval: { style: "posix", run: (call) => readCode(call, call.operands[0] ?? "") },
      run: { style: "posix", run: (call) => runScriptFile(call) },
    },
  },
  perl: { values: "e E i? M? m? I", style: "posix", run: (call) => interpret(call, "e E", "n p i") },
  ruby: { values: "e r I C E", style: "posix", run: (call) => interpret(call, "e", "n p i") },
  php: { values: "r R B E f d c z", style: "posix", run: (call) => interpret(call, "r R B E") },
  "lua luajit Rscript R julia groovy elixir guile osascript": {
    values: "e eval",
    style: "posix",
    run: (call) => interpret(call, "e eval"),
  },
  "awk gawk mawk nawk": { values: "f file v assign F field-separator", style: "posix", run: runAwk },
};

/** Code after an option, a script, or the input. */
export function interpret(call: Call, codeOptions: string, lineOptions = "", moduleOption = ""): void {
  const codes = call.values(codeOptions);
  const [script] = call.operands;
  const isModule = moduleOption !== "" && call.has(moduleOption) && call.value(moduleOption) !== undefined;
  if (codes.length > 0) {
    // With `-n` and `-p` it reads files, and with `-i` it writes them.
    const read =
      lineOptions !== "" && call.has(lineOptions) ? call.operands.map((path) => call.read(path)) : [];
    if (lineOptions !== "" && call.has("i")) for (const path of call.operands) call.write(path, UNKNOWN);
    readCode(call, codes.join("\n"));
    call.print(UNKNOWN + unknownParts(read.join("") + call.input));
  } else if (isModule) call.print(UNKNOWN + unknownParts(call.input));
  else if (script !== undefined && script !== "-") runScriptFile(call);
  else if (call.input !== "") {
    noteOrigin(call, call.input);
    readCode(call, call.input);
  }
}

function runScriptFile(call: Call): void {
  const [path = ""] = call.operands;
  const content = call.contentOf(path);
  noteOrigin(call, content, false);
  if (isKnown(content)) readCode(call, content);
  if (!/[\uE004-\uE006]/.test(content)) call.effect("execute.file", path);
  call.print(UNKNOWN + unknownParts(call.input));
}

function noteOrigin(call: Call, content: string, isNamed = true): void {
  const kinds: readonly [string, EffectName][] = [
    ["\uE004", "execute.remote"],
    ["\uE005", "execute.decoded"],
    ["\uE006", "execute.connection"],
  ];
  const found = kinds.filter(([marker]) => content.includes(marker));
  for (const [, name] of found) call.effect(name);
  if (found.length === 0 && isNamed && /^[\uE000-\uE003\s]+$/.test(content)) call.effect("execute.unknown");
}

const TEXT = `["'\`]([^"'\`\\n]*)["'\`]`;
/** What a call in any of these languages does with the path that is its first argument: names, and what stands before and behind the path. */
const CALLS: readonly (readonly [effect: EffectName, names: string, before?: string, behind?: string])[] = [
  [
    "delete.recursive",
    "rmtree rm_rf? rm_r remove_tree rimraf(?:\\.sync)? removeSync emptyDirSync remove_entry_secure rmSync rmdirSync \\brm promises\\.rm rmdir",
    "(?:\\[)?",
  ],
  [
    "delete",
    "os\\.remove os\\.unlink os\\.rmdir unlinkSync \\bunlink File\\.delete fs\\.unlink fs\\.rm os\\.removedirs",
  ],
  ["delete", "Path\\(", "", "\\s*\\)\\.(?:unlink|rmdir)"],
  ["move", "shutil\\.move os\\.rename os\\.replace renameSync \\brename File\\.rename FileUtils\\.mv"],
  ["permissions", "os\\.chmod os\\.chown chmodSync chownSync \\bchmod \\bchown"],
  [
    "write",
    "writeFileSync writeFile appendFileSync appendFile createWriteStream file_put_contents File\\.write IO\\.write os\\.truncate truncateSync",
  ],
  ["write", "Path\\(", "", "\\s*\\)\\.write_"],
  ["write", "open", "", "\\s*,\\s*(?:mode\\s*=\\s*)?[\"'][wax+]"],
  ["write", "copyFileSync cpSync shutil\\.copy\\w* FileUtils\\.cp", "[\"'][^\"']*[\"']\\s*,\\s*"],
  [
    "read",
    "readFileSync readFile createReadStream file_get_contents File\\.read IO\\.read readfile \\bslurp copyFileSync shutil\\.copy\\w* \\bopen Bun\\.file " +
      "Deno\\.readTextFile",
    "",
    "(?!\\s*,\\s*(?:mode\\s*=\\s*)?[\"'][wax])",
  ],
  ["read", "Path\\(", "", "\\s*\\)\\.(?:read_|open)"],
];
let compiled: readonly (readonly [RegExp, EffectName])[] | undefined;

/** Few lines have code. */
function compiledCalls(): readonly (readonly [RegExp, EffectName])[] {
  compiled ??= CALLS.map(([effect, names, before = "", behind = ""]) => [
    new RegExp(`(?:${names.replaceAll(" ", "|")})\\s*\\(?\\s*${before}${TEXT}${behind}`, "g"),
    effect,
  ]);
  return compiled;
}

const RUNS = new RegExp(
  `(?:os\\.system|os\\.popen|popen|execSync|\\bexec|\\bsystem|shell_exec|passthru|subprocess\\.\\w+|getoutput|\\$\\()\\s*\\(?\\s*${TEXT}`,
  "g",
);
const RUN_LISTS =
  /(?:subprocess\.\w+|spawnSync|spawn|execFileSync|execFile|execvp?|\bsystem|\bexec)\s*\(?\s*((?:\[?\s*["'][^"']*["']\s*,?\s*\[?\s*)+)/g;
const BACKTICKS = /`([^`$]+)`|%x[{(]([^})]*)/g;
const SENDS =
  /urlopen|requests\.(?:post|put|patch)|http\.client|fetch\s*\(|\.request\s*\(|socket|Net::HTTP|LWP|axios|smtplib|TCPSocket|IO::Socket|fsockopen|curl_exec/;

/** Reads code for calls that delete, write, run and connect. */
export function readCode(call: Call, code: string): void {
  if (!isKnown(code) && /^[\uE000-\uE00F\s]*$/.test(code)) {
    noteOrigin(call, code);
    return;
  }
  noteOrigin(call, code, false);
  const plain = code.slice(0, 20_000);
  if (code.length > plain.length) call.effect("unreadable");
  const contents: string[] = [];
  for (const [expression, effect] of compiledCalls())
    for (const [, path = ""] of plain.matchAll(expression)) {
      const at = expandHome(path, call);
      if (effect === "read") contents.push(call.read(at));
      else if (effect === "write") call.write(at, UNKNOWN);
      else call.effect(effect, at);
    }
  if (/\bos\.environ\b|process\.env\b(?!\.\w)|\bENV\b(?!\[)|%ENV/.test(plain)) contents.push("\uE002");
  const content = contents.join("");
  if (SENDS.test(plain) && contents.length > 0) call.send(content);
  for (const [, text = ""] of plain.matchAll(RUNS)) call.startText(text);
  for (const [, list = ""] of plain.matchAll(RUN_LISTS)) {
    const words = [...list.matchAll(/["']([^"']*)["']/g)].map(([, word = ""]) => word);
    if (words.length > 1) call.start(words);
  }
  if (/^(?:perl|ruby|php)/.test(call.name))
    for (const [, first, second] of plain.matchAll(BACKTICKS)) call.startText(first ?? second ?? "");
  if (isShellOnConnection(plain)) call.effect("execute.connection");
  if (/(?:exec|eval)\s*\(.*(?:urlopen|requests\.get|fetch\()/s.test(plain)) call.effect("execute.remote");
  if (
    /(?:exec|eval|system|popen|subprocess\.\w+|execSync|spawn)\s*\(.*(?:b64decode|atob|base64|fromhex|decode\()/s.test(
      plain,
    )
  )
    call.effect("execute.decoded");
  if (unknownParts(content) !== "") call.print(unknownParts(content));
}

function isShellOnConnection(code: string): boolean {
  return (
    /socket|TCPSocket|fsockopen|net\.(?:connect|createConnection|Socket)/.test(code) &&
    /\b(?:bash|sh|cmd\.exe|pty\.spawn|dup2)\b/.test(code)
  );
}

function expandHome(path: string, call: Call): string {
  const home = call.variable("HOME") ?? UNKNOWN;
  return path.replace(/^~(?=\/|$)/, home).replace(/\$\{?HOME\}?/, home);
}

function runAwk(call: Call): void {
  const isFromFile = call.has("f file");
  const [program = "", ...others] = call.operands;
  for (const path of call.values("f file")) call.effect("execute.file", path);
  const files = (isFromFile ? call.operands : others).filter((word) => !/^\w+=/.test(word));
  const read = files.length > 0 ? files.map((path) => call.read(path)) : [call.input];
  if (!isFromFile) {
    for (const [, text = ""] of program.matchAll(/system\s*\(\s*"([^"]*)"/g)) call.startText(text);
    for (const [, text = ""] of program.matchAll(/"([^"]*)"\s*\|\s*getline|\|\s*"([^"]*)"/g))
      if (text !== "") call.startText(text);
    for (const [, path = ""] of program.matchAll(/>>?\s*"([^"]+)"/g)) call.write(path, UNKNOWN);
    for (const [, path = ""] of program.matchAll(/getline[^<]*<\s*"([^"]+)"/g)) call.read(path);
    if (/\|\s*(?:getline|&)|system\s*\(/.test(program) && /system\s*\(\s*[^")]/.test(program))
      call.effect("execute.unknown");
    if (!isKnown(program)) noteOrigin(call, program);
  }
  call.print(UNKNOWN + unknownParts(read.join("")) + (/ENVIRON(?!\[)/.test(program) ? "\uE002" : ""));
}
