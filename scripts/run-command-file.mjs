// Runs what `install` writes for Windows by Wine, in each state that it has an answer for, and compares exit codes and answers.
// Usage: WINEPREFIX=folder node scripts/run-command-file.mjs path/to/node.exe   (after a build; Wine must say that it is Windows 10)
import { spawnSync } from "node:child_process";
import {
  closeSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { loadClients } from "../packages/bridges/dist/clients/index.js";
import {
  CANNOT_RUN,
  fallbackAnswers,
  NOT_CHECKED,
} from "../packages/bridges/dist/install/fallback-answers.js";
import { hookCommandFile } from "../packages/bridges/dist/install/hook-command-file.js";

const [, , exe] = process.argv;
const root = join(mkdtempSync(join(tmpdir(), "tenterhook-wine-")), "a (b) & ^100%");
const home = join(root, "home");
const node = join(root, "node.exe");
const bridge = join(root, "bridge");
const state = join(home, ".local", "state");
const guards = join(state, "tenterhook", "bridge", "guards");
const asWindows = (path) => `Z:${path.replaceAll("/", "\\")}`;
const bundle = new URL("../packages/cli/dist/bin/bridge", import.meta.url).pathname;

mkdirSync(join(home, ".config", "agents", "hooks", "guard"), { recursive: true });
cpSync(exe, node);
cpSync(bundle, bridge, { recursive: true });
const head = ["name: guard", "description: d", "trigger: before_tool", "matcher: { pattern: FORBIDDEN }"];
writeFileSync(
  join(home, ".config", "agents", "hooks", "guard", "HOOK.md"),
  `---\n${[...head, "action: block", "reason: no", "on_error: block"].join("\n")}\n---\n`,
);
const pins = {
  node: asWindows(node),
  bridge: asWindows(join(bridge, "bridge.js")),
  home: asWindows(home),
  configHome: asWindows(join(home, ".config")),
  stateHome: asWindows(state),
  cacheHome: asWindows(join(home, ".cache")),
  path: ["C:\\windows\\system32", asWindows(join(root, "!PATH! it's"))],
  language: {},
};
const answers = fallbackAnswers(await loadClients());
writeFileSync(join(root, "hook.cmd"), hookCommandFile({ pins, answers, guards: asWindows(guards) }));
// What a project may have: the command file must not start it.
writeFileSync(join(root, "findstr.cmd"), "@exit /b 1\r\n");

let calls = 0;
/** Runs the command file once; returns how it ended, and what it printed. */
function run({ client = "claude", event = "PreToolUse", command = "ls", env = {} } = {}) {
  const payload = {
    session_id: "s",
    cwd: asWindows(home),
    hook_event_name: event,
    tool_use_id: `t${++calls}`,
  };
  const tool = { tool_name: "Bash", tool_input: { command } };
  writeFileSync(join(root, "in"), JSON.stringify({ ...payload, ...tool }));
  // Files, because a program under Wine cannot open the pipes of one that is not.
  const files = [
    openSync(join(root, "in"), "r"),
    ...["out", "err"].map((name) => openSync(join(root, name), "w")),
  ];
  const args = ["cmd", "/c", "hook.cmd", "--client", client, "--event", event, "--timeout", "30"];
  const { status } = spawnSync("wine", args, {
    cwd: root,
    env: { ...process.env, WINEDEBUG: "-all", ...env },
    stdio: files,
  });
  for (const file of files) closeSync(file);
  const [out, err] = ["out", "err"].map((name) => readFileSync(join(root, name), "utf8").trim());
  return { status, out, err };
}

/** Compares all that was printed to standard output, and a part of what was printed to standard error. */
function call(what, expected, given = {}) {
  const { status, out, err } = run(given);
  const isRight =
    status === expected.status &&
    out === expected.out &&
    (expected.err === "" ? err === "" : err.includes(expected.err));
  console.log(`${isRight ? "right" : "WRONG"}: ${what}: ${status}`);
  if (isRight) return;
  console.log(`  ${JSON.stringify({ status, out, err })}\n  expected ${JSON.stringify(expected)}`);
  process.exitCode = 1;
}

const tool = answers.find(({ client, event }) => client === "claude" && event === "PreToolUse");
const refused = { status: tool.refusal.exit, out: tool.refusal.stdout, err: CANNOT_RUN };
const unchecked = { status: tool.notice.exit, out: tool.notice.stdout, err: NOT_CHECKED };
const silent = { status: 0, out: "", err: "" };
const denied =
  '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"no"}}';
const exits = (code) => `process.exitCode = ${code};`;
const pinned = JSON.stringify(pins.path.join(";"));
const pathIs = (condition) => `const p = process.env.PATH; process.exitCode = ${condition} ? 40 : 1;`;
const prints = (text) => `process.stdout.write(${JSON.stringify(text)});`;

try {
  call("an allowed command", silent);
  call("a blocked command", { status: 2, out: denied, err: "no" }, { command: "FORBIDDEN" });
  const known = readFileSync(guards);
  // What a project can set in some clients.
  const long = "C:\\long;".repeat(1200);
  const first = "--import=data:text/javascript,process.exit(40)";
  const blocked = { status: 2, out: denied, err: "no" };
  call("options of node that end it as if it had passed", blocked, {
    command: "FORBIDDEN",
    env: { NODE_OPTIONS: first },
  });
  call("a search path that is longer than a line can be", blocked, {
    command: "FORBIDDEN",
    env: { WINEPATH: long },
  });
  call("a search path with a command", blocked, {
    command: "FORBIDDEN",
    env: { WINEPATH: 'C:\\x"&exit /b 0&rem "' },
  });

  const main = join(bridge, "bridge.js");
  const real = readFileSync(main);
  for (const [what, program, expected] of [
    ["a complete pass", exits(40), silent],
    [
      "a complete pass with a message",
      prints(tool.notice.stdout) + exits(40),
      { ...silent, out: tool.notice.stdout },
    ],
    ["a complete refusal", prints(denied) + exits(42), { status: 2, out: denied, err: "" }],
    [
      "the pinned search path comes first",
      pathIs(`p.startsWith(${pinned} + ";") && p.length > ${pinned}.length + 9`),
      silent,
    ],
    [
      "no variable of the command file is left",
      "process.exitCode = process.env.TENTERHOOK_PATH ? 1 : 40",
      silent,
    ],
    ["an empty bridge", "", refused],
    ["a bridge that ends with 0 without an answer", exits(0), refused],
    ["a bridge that ends with 2 without an answer", exits(2), refused],
    ["a bridge that aborts", "process.abort();", refused],
    ["a bridge that is ended", "process.kill(process.pid);", refused],
    ["a bridge that is not a program", "}", refused],
    ...[1, 39, 41, 43, 255, 256 + 40, -1, -40, 0xc0000005 | 0, -0x80000000].map((code) => [
      `a bridge that ends with ${code}`,
      `process.exit(${code});`,
      refused,
    ]),
  ]) {
    writeFileSync(main, program);
    call(what, expected);
    if (expected !== refused) continue;
    writeFileSync(guards, "");
    call(`${what}, and there is no guard`, unchecked);
    writeFileSync(guards, known);
    call(`${what}, and a variable says otherwise`, refused, { env: { ERRORLEVEL: "40" } });
  }
  writeFileSync(main, pathIs(`p.startsWith(${pinned} + ";C:") && p.length < 8100`));
  call("the search path is cut where it would be too long", silent, { env: { WINEPATH: long } });
  const strange = 'C:\\a!b!^c%d%"e&f';
  writeFileSync(main, pathIs(`p.includes(${JSON.stringify(`;${strange};`)})`));
  call("a search path is taken as it is", silent, { env: { WINEPATH: strange } });
  writeFileSync(main, real);

  writeFileSync(node, "");
  call("node is empty", refused);
  rmSync(node);
  mkdirSync(node);
  call("node is a folder", refused);
  rmSync(node, { recursive: true });
  call("node is gone, and a guard is known", refused);
  for (const [what, list, expected] of [
    ["there is no guard", "", unchecked],
    ["the guards are for another event", "after_tool\t*\tone\nbefore_model\t*\tbefore_tool\n", unchecked],
    ["the last of the guards is for this event", "after_tool\t*\tone\nbefore_tool\t*\ta & b", refused],
    ["a guard is for a folder with spaces", "before_tool\tC:\\a b (c) & ^d%\tone\n", refused],
  ]) {
    writeFileSync(guards, list);
    call(`node is gone, and ${what}`, expected);
  }
  for (const { client, event, notice } of answers) {
    const pass = { status: notice.exit, out: notice.stdout, err: NOT_CHECKED };
    writeFileSync(guards, "");
    call(`node is gone, and there is no guard: ${client} ${event}`, pass, { client, event });
  }
  rmSync(guards);
  mkdirSync(guards);
  call("node is gone, and the list of guards is a folder", refused);
  rmSync(guards, { recursive: true });
  for (const { client, event, events, refusal, notice } of answers) {
    const answer =
      events.length > 0
        ? { status: refusal.exit, out: refusal.stdout, err: CANNOT_RUN }
        : { status: notice.exit, out: notice.stdout, err: NOT_CHECKED };
    call(`node and the list of guards are gone: ${client} ${event}`, answer, { client, event });
  }
  call(
    "node is gone, at an event that is not installed",
    { ...silent, err: "node is gone" },
    { event: "Other" },
  );

  cpSync(exe, node);
  rmSync(join(bridge, "main.js"));
  call("a part of the bridge is gone", refused);
  rmSync(main);
  call("the bridge is gone", refused);
} finally {
  rmSync(dirname(root), { recursive: true, force: true });
}
