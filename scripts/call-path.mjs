// `npm run call:path` prints the folders under packages/bridges/src that one call of a coding agent enters, in order.
//
// It really runs the call: Claude Code asks before a tool call, in a new home with one guard, which refuses. Every function of the package
// reports when it is called (call-path/report-calls.mjs adds that while the modules are loaded). A file counts where one of its functions is
// called first, because that is when a reader who follows the call opens it. A return is such a file in a folder that the call had left
// before. When a later step calls into a file again, for a field of the payload or a fact of the session, that is no return; the last line
// counts these too. Folders of packages that the bridges import are not counted.
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { register } from "node:module";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";

const DIST = new URL("../packages/bridges/dist/", import.meta.url);
const SESSION = "call-path";

const { answer, files, calls } = await runCall();
const visits = findVisits(files);
if (process.argv.includes("--json"))
  console.log(JSON.stringify({ exit: answer.exit, ...countVisits(visits), visits }));
else
  console.log(
    [
      ...formatVisits(),
      formatCount(countVisits(visits)),
      `Counting every function call: ${formatCount(countVisits(findVisits(calls)))}`,
    ].join("\n"),
  );

/** Runs one call, and returns its answer, the file of every function call, and the files in the order of their first one. */
async function runCall() {
  const calls = [];
  globalThis.reportCall = (file) => void calls.push(file);
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
    return { answer, calls, files: [...new Set(calls)] };
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
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
    if (last?.folder === folder) last.files.push(basename(file));
    else visits.push({ folder, files: [basename(file)] });
  }
  return visits;
}

function countVisits(found) {
  const folders = new Set(found.map(({ folder }) => folder)).size;
  return { folders, returns: found.length - folders };
}

function formatVisits() {
  return visits.map(({ folder, files: names }, index) => {
    const isReturn = visits.slice(0, index).some((visit) => visit.folder === folder);
    return `${isReturn ? "back to " : ""}${folder}: ${names.join(", ")}`;
  });
}

function formatCount({ folders, returns }) {
  return `${folders} folders, ${returns} returns`;
}
