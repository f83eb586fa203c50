// Asks hooks about a command in several states of this process, and prints what they answered. Arguments: the steps, and the home folder.
import { chmodSync, closeSync, openSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileHooks } from "@tenterhook/file-hooks";

const [, , steps, home] = process.argv;
const root = join(home, ".config", "agents", "hooks");
const descriptors = [];
const logged = [];
let set;

/** In another home: all modules are loaded, as in a program that has run for a while. */
async function start(folder) {
  const log = (message) => logged.push(message);
  return fileHooks({ cwd: folder, env: { HOME: folder }, audit: false, guardProcesses: false, log });
}

const STEPS = {
  async start() {
    set = await start(home);
  },
  exhaust() {
    try {
      for (;;) descriptors.push(openSync("/dev/null"));
    } catch {}
  },
  release() {
    for (const each of descriptors.splice(0)) closeSync(each);
  },
  /** The root has another change time afterwards, and the same content. */
  touch: () => chmodSync(root, statSync(root).mode),
  /** The hook's file has another change time afterwards, and the same content. */
  "touch-file": () => chmodSync(join(root, "guard", "HOOK.md"), 0o644),
  "touch-toml": () => chmodSync(join(root, "hooks.toml"), 0o644),
};

await (await start(`${home}-other`)).hooks.prepare("before_tool");
const answers = [];
for (const step of steps.split(" ")) {
  if (step !== "ask") {
    await STEPS[step]();
    continue;
  }
  logged.splice(0);
  const payload = { toolName: "Shell", toolInput: { command: "ls" }, toolUseId: "1" };
  const { action, reason } = await set.hooks.dispatch("before_tool", payload);
  answers.push({ action, reason, logged: [...logged] });
}
STEPS.release();
process.stdout.write(JSON.stringify(answers));
