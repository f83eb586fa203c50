// `npm run call:path` prints the folders under packages/bridges/src that one call of a coding agent enters, in order.
//
// It really runs the call: Claude Code asks before a tool call, in a new home with one guard, which refuses. Every function of the package
// reports when it is called (call-path/report-calls.mjs adds that while the modules are loaded). Folders of packages that the bridges import
// are not counted. A return is entering a folder again after another one. There are two ways to count:
//
// - by files: a file counts where one of its functions is called first, because that is when a reader who follows the call opens it.
// - by calls: a folder is entered whenever a function of another folder calls one of its functions. That this function returns to its caller
//   is not counted, and neither is a further call into the folder that was entered last.
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { register } from "node:module";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";

const DIST = new URL("../packages/bridges/dist/", import.meta.url);
const SESSION = "call-path";

const { answer, calls } = await runCall();
const byFiles = findVisits(new Set(calls.map(({ file }) => file)));
const byCalls = findVisits(
  calls
    .filter(({ file, caller }) => caller === undefined || dirname(caller) !== dirname(file))
    .map(({ file }) => file),
);
if (process.argv.includes("--json"))
  console.log(
    JSON.stringify({ exit: answer.exit, byFiles: countVisits(byFiles), byCalls: countVisits(byCalls) }),
  );
else
  console.log(["By files:", ...formatVisits(byFiles), "", "By calls:", ...formatVisits(byCalls)].join("\n"));

/** Runs one call, and returns its answer and its function calls: the file of the function, and that of the one that called it. */
async function runCall() {
  const calls = [];
  globalThis.reportCall = (file) => void calls.push({ file, caller: findCaller() });
  register("./call-path/report-calls.mjs", { parentURL: import.meta.url, data: { dist: DIST.href } });
  const home = mkdtempSync(join(tmpdir(), "tenterhook-call-path-"));
  try {
    const project = join(home, "project");
    mkdirSync(project);
    writeGuard(join(home, ".config", "agents", "hooks", "guard"));
    const { bridge } = await import(new URL("call/bridge.js", DIST).href);
    const payload = {
      session_id: SESSION,
      cwd: project,
      hook_event_name: "PreToolUse",
      tool_name: "Bash",
      tool_input: { command: "rm -rf build" },
      tool_use_id: "toolu_1",
    };
    const env = { PATH: process.env.PATH, HOME: home, CLAUDE_CODE_SESSION_ID: SESSION };
    const answer = await bridge({
      client: "claude",
      event: "PreToolUse",
      stdin: async () => JSON.stringify(payload),
      cwd: project,
      env,
    });
    return { answer, calls };
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/** The file of the function that called the one that reports; `undefined` if that is outside the package. */
function findCaller() {
  const { prepareStackTrace, stackTraceLimit } = Error;
  Error.stackTraceLimit = Number.POSITIVE_INFINITY;
  Error.prepareStackTrace = (_, sites) => sites.map((site) => site.getFileName() ?? "");
  const { stack } = new Error();
  Object.assign(Error, { prepareStackTrace, stackTraceLimit });
  const [, caller] = stack.filter((name) => name.startsWith(DIST.href));
  return caller?.slice(DIST.href.length);
}

function writeGuard(folder) {
  mkdirSync(join(folder, "scripts"), { recursive: true });
  writeFileSync(
    join(folder, "HOOK.md"),
    "---\nname: guard\ndescription: Refuses every command.\ntrigger: before_tool\nmatcher:\n  tool: Shell\non_error: block\n---\n",
  );
  const script = join(folder, "scripts", "run.sh");
  writeFileSync(script, "echo refused >&2\nexit 2\n");
  chmodSync(script, 0o700);
}

/** Files that follow each other in one folder are one visit of it. */
function findVisits(entered) {
  const visits = [];
  for (const file of entered) {
    const folder = dirname(file);
    const last = visits.at(-1);
    if (last?.folder === folder) last.files.add(basename(file));
    else visits.push({ folder, files: new Set([basename(file)]) });
  }
  return visits;
}

function countVisits(visits) {
  const entered = visits.map(({ folder }) => folder);
  const folders = new Set(entered).size;
  return { folders, returns: visits.length - folders, entered };
}

function formatVisits(visits) {
  const lines = visits.map(({ folder, files }, index) => {
    const isReturn = visits.slice(0, index).some((visit) => visit.folder === folder);
    return `  ${isReturn ? "back to " : ""}${folder}: ${[...files].join(", ")}`;
  });
  const { folders, returns } = countVisits(visits);
  return [...lines, `  ${folders} folders, ${returns} returns`];
}
