import { symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { expect, test } from "vitest";
import { CommandSandbox } from "../testing/command-sandbox.ts";

interface GuardScripts {
  guardedChange(text: string, at: { readonly cwd: string; readonly home: string }): string | undefined;
}

const REFUSED = [
  // Quotes, variables, lists, patterns.
  'echo {} > "$HOME/.claude/settings.json"',
  "D=~/.claude; rm $D/settings.json",
  "rm -f ~/.claude/settings.{json,local.json}",
  "rm -rf ~/.claude/*",
  "for f in .agents/hooks/*; do rm -r $f; done",
  "rm 'my folder/.claude/settings.json'",
  "del .claude\\settings.json",
  // Folders.
  "(cd -- ~/.claude && rm settings.json)",
  "(cd .claude && (cd .. && ls) && rm settings.json)",
  "pushd ~/.claude; rm settings.json",
  "git -C ~/.claude checkout settings.json",
  "echo x > link/settings.json",
  "rm -rf ~/.config",
  "cd ~/.config && rm -rf agents",
  "rm -rf .agents",
  "git restore .agents/",
  "find ~/.claude -name settings.json -delete",
  "find .claude -name '*.json' | xargs rm",
  "cp settings.json ~/.claude/",
  "mv -t .claude /tmp/settings.local.json",
  // Texts in texts.
  "bash <<'END'\nrm -rf ~/.claude\nEND",
  "cat <<END | sh\nrm -rf ~/.claude\nEND",
  "bash -c 'cd ~/.claude && rm settings.json'",
  "eval rm .claude/settings.json",
  "bash -euo pipefail -c 'rm -rf .claude'",
  "{ bash; } <<END\nrm -rf .claude\nEND",
  "{ xargs rm; } <<END\n.claude/settings.json\nEND",
  "if true; then bash; fi <<END\nrm -rf .claude\nEND",
  'while read l; do eval "$l"; done <<END\nrm -rf .claude\nEND',
  `${"$(".repeat(22)}rm -rf .claude${")".repeat(22)}`,
  ") rm -rf .claude",
  "timeout 5 cd /; rm -rf .claude",
  'echo "$(rm .claude/settings.json)"',
  "python3 - <<'END'\nopen('.claude/settings.json', 'w')\nEND",
  // Programs before programs, and redirections.
  "sudo -u me rm -rf ~/.claude",
  "timeout 5 rm -rf ~/.claude",
  "cat x &> .claude/settings.json",
  "echo x | tee -a .claude/settings.local.json",
  "sed -i 's/x/y/' ~/.claude/settings.json",
  `echo ${"x".repeat(100_000)}; rm ~/.claude/settings.json`,
  // Our own command.
  "npx -y tenterhook@latest uninstall",
  "tenterhook --json uninstall",
  "node node_modules/tenterhook/dist/bin/tenterhook.js trust --all",
];

const PASSED = [
  // Reading.
  "cat ~/.claude/settings.json | jq .hooks",
  "cat .claude/settings.json 2>/dev/null",
  "ls .claude && sed -n 1,20p .claude/settings.json",
  "test -f .claude/settings.json && echo yes",
  "for f in .agents/hooks/*; do cat $f; done",
  "find . -name '*.md' | xargs grep -l .claude/settings.json",
  "git diff .claude/settings.json && git add .claude/settings.json",
  "cp .claude/settings.json /tmp/copy.json",
  'cat "$HOME/.claude/settings.json"',
  "npx tenterhook trust --list",
  "bash -c 'cat .claude/settings.json'",
  "sudo bash -c 'cat .claude/settings.json'",
  'eval "cat .claude/settings.json"',
  "bash <<END\ncat .claude/settings.json\nEND",
  "bash .agents/hooks/x/run.sh",
  // Writing about it.
  "git commit -m 'Describe tenterhook install, and rm -rf .claude'",
  "git commit -m \"$(cat <<'END'\nDon't change .claude/settings.json; rm -rf ~/.claude\nEND\n)\"",
  "cat > notes.md <<'END'\nit's: rm -rf ~/.claude\nEND",
  "echo 'run tenterhook install' >> README.md",
  "rm -rf build # not ~/.claude",
  // What stands beside it.
  "mv .github .github-old",
  "rm -rf ~/.local/share/other ~/.cache/other node_modules/.cache",
  "echo '{}' > .vscode/settings.json && cp a config.toml",
  "rm .claude/commands/x.md",
  "npm uninstall tenterhook",
];

async function guarded(): Promise<CommandSandbox> {
  const sandbox = new CommandSandbox();
  await sandbox.run(["install", "claude", "--guard"]);
  for (const path of [".agents/hooks/x/HOOK.md", ".claude/settings.json", ".github/workflows/ci.yml"])
    sandbox.write(join(sandbox.project, path), "{}");
  symlinkSync(join(sandbox.home, ".claude"), join(sandbox.project, "link"));
  return sandbox;
}

/** The scripts of the hook, as they were installed. */
function scriptsOf(sandbox: CommandSandbox): GuardScripts {
  const load = createRequire(join(sandbox.userHooks, "guard-hooks", "scripts", "run.js"));
  return load("./guarded-change.js");
}

test("the guard refuses plain changes, and lets an agent read what is guarded, write about it, and work beside it", async () => {
  const sandbox = await guarded();
  const { guardedChange } = scriptsOf(sandbox);
  const at = { cwd: sandbox.project, home: sandbox.home };
  expect(REFUSED.filter((text) => guardedChange(text, at) === undefined)).toEqual([]);
  expect(PASSED.filter((text) => guardedChange(text, at) !== undefined)).toEqual([]);
});

test("the guard is called for a command that names a guarded file alone, or the folder of the home that contains guarded ones", async () => {
  const sandbox = await guarded();
  const pattern = /pattern: "(.*)"/.exec(
    sandbox.read(join(sandbox.userHooks, "guard-hooks", "HOOK.md")),
  )?.[1];
  const words = new RegExp((pattern ?? "").replaceAll("\\\\", "\\"));
  for (const text of [
    "rm HOOK.md",
    "rm hook.md",
    "rm settings.json",
    "rm -rf ~/.config",
    "rm -rf $HOME/.local",
  ])
    expect(text).toMatch(words);
  for (const text of ["npm test", "vi vite.config.ts", "rm src/hooks/use-agent.ts"])
    expect(text).not.toMatch(words);
});

test("every text is read to its end", async () => {
  const { guardedChange } = scriptsOf(await guarded());
  const pieces = [
    "'",
    '"',
    "`",
    "$(",
    "(",
    ")",
    "<<",
    "<",
    ">",
    "&",
    "|",
    ";",
    "\n",
    "\\",
    "#",
    " ",
    "a",
    "\u00a0",
  ];
  let seed = 7;
  const next = () => (seed = (seed * 48_271) % 2_147_483_647);
  for (let round = 0; round < 5_000; round++)
    guardedChange(Array.from({ length: next() % 20 }, () => pieces[next() % pieces.length]).join(""), {
      cwd: "/",
      home: "/",
    });
});
