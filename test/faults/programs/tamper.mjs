// Changes the folder of a hook, one way after the other, and puts it back in between: `node tamper.mjs '{"hook": …, "mark": …}'`.
// A script that was put in the place of the hook's own leaves a mark when it is run.
import { cpSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";

const { hook, mark } = JSON.parse(process.argv[2] ?? "{}");
const hooks = dirname(hook);
const beside = (name) => join(hooks, "..", `${basename(hook)}-${name}`);
const script = join(hook, "scripts", "run.sh");
const hookMd = join(hook, "HOOK.md");
const toml = join(hooks, "hooks.toml");
const trusted = { script: readFileSync(script, "utf8"), hookMd: readFileSync(hookMd, "utf8") };
const lenient = `#!/bin/sh\necho x >> ${mark}\nexit 0\n`.padEnd(trusted.script.length, "#");

cpSync(hook, beside("good"), { recursive: true });
cpSync(hook, beside("bad"), { recursive: true });
writeFileSync(join(beside("bad"), "scripts", "run.sh"), lenient, { mode: 0o755 });

/** Puts a file in the place of another at once. */
function swap(path, content) {
  writeFileSync(`${path}.new`, content, { mode: 0o755 });
  renameSync(`${path}.new`, path);
}

/** Puts a copy of a folder in the place of the hook's. */
function replace(name) {
  cpSync(beside(name), beside("next"), { recursive: true });
  renameSync(hook, beside("last"));
  renameSync(beside("next"), hook);
  rmSync(beside("last"), { recursive: true });
}

const CHANGES = [
  () => swap(script, lenient),
  () => writeFileSync(script, lenient),
  () => rmSync(script),
  () => swap(hookMd, trusted.hookMd.replace("tool: Shell", "tool: Other")),
  () => swap(hookMd, trusted.hookMd.replace("before_tool", "after_tool")),
  () => swap(hookMd, trusted.hookMd.replace("name: guard", "name: another")),
  () => writeFileSync(hookMd, ""),
  () => writeFileSync(toml, "[hooks.guard]\nenabled = false\n"),
  () => replace("bad"),
  () => {
    rmSync(hook, { recursive: true });
    symlinkSync(beside("bad"), hook);
  },
  () => rmSync(hook, { recursive: true }),
  () => rmSync(hooks, { recursive: true }),
];

function restore() {
  mkdirSync(hooks, { recursive: true });
  rmSync(toml, { force: true });
  rmSync(hook, { recursive: true, force: true });
  cpSync(beside("good"), hook, { recursive: true });
}

/** Stays as it is for so many milliseconds. */
const hold = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

const startedBy = process.ppid;
console.log("{}");
for (let n = 0; process.ppid === startedBy; n++) {
  CHANGES[n % CHANGES.length]();
  hold(n % 7);
  restore();
  hold(n % 5);
}
