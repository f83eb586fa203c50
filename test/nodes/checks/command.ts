import assert from "node:assert/strict";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type NodeSandbox, ROOT } from "../node-sandbox.ts";

/** Writes hooks in a shell and in JavaScript with the command, and uses them. */
export async function checkCommand(sandbox: NodeSandbox): Promise<undefined> {
  const manifest = readFileSync(join(ROOT, "packages", "cli", "package.json"), "utf8");
  const { version } = JSON.parse(manifest) as { readonly version: string };
  assert.match(await sandbox.command(["--version"]), new RegExp(version.replaceAll(".", "\\.")));

  const rule = ["--trigger", "before_tool", "--tool", "Shell", "--pattern", "push --force"];
  await sandbox.command(["init", "in-shell", ...rule, "--user"]);
  await sandbox.command(["init", "in-javascript", ...rule, "--lang", "js", "--user"]);
  for (const name of ["in-shell", "in-javascript"]) describeHook(sandbox, name);
  const list = await sandbox.command(["list"]);
  for (const name of ["in-shell", "in-javascript"])
    assert.match(list, new RegExp(`^\\d +${name} +before_tool`, "m"));
  assert.match(await sandbox.command(["check"]), /2 hooks checked, no findings/);
  assert.match(await sandbox.command(["test"]), /4 passed, 0 failed/);

  const attempt = (command: string) => [
    "try",
    "before_tool",
    "--tool",
    "Shell",
    "--input",
    JSON.stringify({ command }),
    "--json",
  ];
  const refused = JSON.parse(await sandbox.command(attempt("git push --force"), 2)) as Tried;
  assert.equal(refused.outcome, "block");
  const passed = JSON.parse(await sandbox.command(attempt("git status"))) as Tried;
  assert.equal(passed.outcome, "proceed");

  writeModule(sandbox);
  const denied = JSON.parse(await sandbox.command(attempt("git status"), 2)) as Tried;
  assert.equal(denied.reason, "denied");
}

/** `check` warns as long as the page of a hook is the one that `init` wrote. */
function describeHook({ home }: NodeSandbox, name: string): void {
  const path = join(home, ".config", "agents", "hooks", name, "HOOK.md");
  writeFileSync(path, readFileSync(path, "utf8").replace(/^Describe here.*$/m, "Refuses forced pushes."));
}

/** A hook whose script is a module by its syntax alone, under a package.json that says otherwise. */
function writeModule({ home }: NodeSandbox): void {
  writeFileSync(join(home, "package.json"), '{ "type": "commonjs" }');
  const folder = join(home, ".config", "agents", "hooks", "as-module");
  mkdirSync(join(folder, "scripts"), { recursive: true });
  writeFileSync(
    join(folder, "HOOK.md"),
    "---\nname: as-module\ndescription: Refuses\ntrigger: before_tool\n---\n",
  );
  const script = 'import { writeSync } from "node:fs";\nwriteSync(2, "denied");\nprocess.exit(2);\n';
  writeFileSync(join(folder, "scripts", "run.js"), script);
}

interface Tried {
  readonly outcome: string;
  readonly reason: string | null;
}
