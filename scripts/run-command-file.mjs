// Runs what `install` writes for Windows by Wine, in each state that it has an answer for, and compares the exit codes.
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
import { fallbackAnswers } from "../packages/bridges/dist/install/fallback-answers.js";
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
  path: ["C:\\windows\\system32"],
  language: {},
};
const answers = fallbackAnswers(await loadClients());
writeFileSync(join(root, "hook.cmd"), hookCommandFile({ pins, answers, guards: asWindows(guards) }));
// What a project may have: the command file must not start it.
writeFileSync(join(root, "findstr.cmd"), "@exit /b 1\r\n");

let calls = 0;
function call(what, expected, { command = "ls", event = "PreToolUse" } = {}) {
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
  const args = ["cmd", "/c", "hook.cmd", "--client", "claude", "--event", event, "--timeout", "30"];
  const env = { ...process.env, WINEDEBUG: "-all" };
  const { status } = spawnSync("wine", args, { cwd: root, env, stdio: files });
  for (const file of files) closeSync(file);
  const [out, err] = ["out", "err"].map((name) => readFileSync(join(root, name), "utf8").trim());
  const isRight = status === expected && (status === 0 || (out.includes('"deny"') && err !== ""));
  console.log(
    `${isRight ? "right" : "WRONG"}: ${what}: ${status}\n  ${out.slice(0, 120)}\n  ${err.slice(0, 120)}`,
  );
  if (!isRight) process.exitCode = 1;
}

try {
  call("an allowed command", 0);
  call("a blocked command", 2, { command: "FORBIDDEN" });
  rmSync(node);
  call("node is gone, and a guard is known", 2);
  call("node is gone, at an event without a guard", 0, { event: "Notification" });
  writeFileSync(guards, "");
  call("node is gone, and there is no guard", 0);
  rmSync(guards);
  call("node and the list of guards are gone", 2);
  cpSync(exe, node);
  rmSync(join(bridge, "main.js"));
  call("a part of the bridge is gone", 2);
  rmSync(join(bridge, "bridge.js"));
  call("the bridge is gone", 2);
} finally {
  rmSync(dirname(root), { recursive: true, force: true });
}
