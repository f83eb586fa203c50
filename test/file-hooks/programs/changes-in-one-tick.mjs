// Changes hooks right after they were listed, and prints in which rounds the change was not seen. Argument: the home folder.
import { mkdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createHooks } from "@tenterhook/engine";
import { FileHooks } from "@tenterhook/file-hooks";

const [, , home] = process.argv;
const root = join(home, ".config", "agents", "hooks");

function write(name, reason) {
  mkdirSync(join(root, name), { recursive: true });
  const fields = ["trigger: before_tool", "description: x", "action: block", `reason: ${reason}`];
  writeFileSync(join(root, name, "HOOK.md"), `---\nname: ${name}\n${fields.join("\n")}\n---\n`);
}

function newHooks() {
  const hooks = createHooks();
  new FileHooks({ cwd: home, env: { HOME: home }, log() {} }).attach(hooks);
  return hooks;
}

const payload = { toolName: "Shell", toolInput: { command: "ls" }, toolUseId: "1" };
const ask = async (hooks) => (await hooks.dispatch("before_tool", payload)).reason ?? "passed";

const missed = [];
let equal = 0;
const hooks = newHooks();
await ask(hooks);
for (let round = 0; round < 100; round++) {
  rmSync(root, { recursive: true, force: true });
  mkdirSync(root, { recursive: true });
  if ((await ask(hooks)) !== "passed") missed.push(`${round}: removed`);
  write("guard", "first");
  if ((await ask(hooks)) !== "first") missed.push(`${round}: added`);
  const before = statSync(join(root, "guard", "HOOK.md")).ctimeMs;
  write("guard", "other");
  if (statSync(join(root, "guard", "HOOK.md")).ctimeMs === before) equal++;
  if ((await ask(hooks)) !== "other") missed.push(`${round}: edited`);
  // By what is cached for other processes.
  await new Promise(setImmediate);
  write("guard", "third");
  if ((await ask(newHooks())) !== "third") missed.push(`${round}: edited, for another process`);
}
process.stdout.write(JSON.stringify({ missed, equal }));
