// Written by tenterhook install --guard. It is yours now: change it as you like.
const { readFileSync } = require("node:fs");
const { homedir } = require("node:os");
const { resolve } = require("node:path");
const { isGuarded } = require("./guarded-paths.js");
const { guardedChange } = require("./guarded-change.js");

const event = JSON.parse(readFileSync(0, "utf8"));
const { command, file_path: path } = event.tool_input ?? {};
const cwd = event.work_dir ?? process.cwd();

if (event.tool_name === "Shell") refuse(guardedChange(String(command ?? ""), { cwd, home: homedir() }));
else if (typeof path === "string" && isGuarded(resolve(cwd, path))) refuse(path);

function refuse(what) {
  if (what === undefined) return;
  process.stderr.write(
    `an agent may not change hooks, what is trusted, or the entries by which hooks are enforced: ${what}\n`,
  );
  process.exit(2);
}
