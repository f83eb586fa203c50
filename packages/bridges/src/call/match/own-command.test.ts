import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "@tenterhook/test-support/temporary-folder";
import { expect, test } from "vitest";
import type { Step } from "../translate/translate.ts";
import { findOwnCommand } from "./own-command.ts";

const folder = temporaryFolder();
const dist = join(folder, "packages", "cli", "dist");
mkdirSync(dist, { recursive: true });
writeFileSync(join(dist, "..", "package.json"), '{"name":"tenterhook"}');
writeFileSync(join(dist, "package.json"), '{"type":"module"}');
writeFileSync(join(dist, "main.js"), "");
symlinkSync(join(dist, "main.js"), join(folder, "th"));
mkdirSync(join(folder, "app"));
writeFileSync(join(folder, "app", "package.json"), '{"name":"app"}');
writeFileSync(join(folder, "app", "main.js"), "");

const find = (command: string) => {
  const step = { event: "before_tool", payload: { toolName: "Shell", toolInput: { command } } };
  return findOwnCommand([step as unknown as Step], { workDir: folder, home: "/home/dev" });
};

test.each([
  ["tenterhook allow 7F3K", "tenterhook allow"],
  ["tenterhook allow --list", "tenterhook allow"],
  ["tenterhook trust --all", "tenterhook trust"],
  ["tenterhook disable guard", "tenterhook disable"],
  ["tenterhook enforce guard --off", "tenterhook enforce"],
  ["tenterhook remove guard", "tenterhook remove"],
  ["tenterhook rules remove safety", "tenterhook rules remove"],
  ["tenterhook rules update safety", "tenterhook rules update"],
  ["tenterhook --json allow 7F3K", "tenterhook allow"],
  ["ls && tenterhook allow 7F3K", "tenterhook allow"],
  ["/usr/local/bin/tenterhook allow 7F3K", "tenterhook allow"],
  ["node_modules/.bin/tenterhook allow 7F3K", "tenterhook allow"],
  ["npx tenterhook allow 7F3K", "tenterhook allow"],
  ["npx -y tenterhook@latest allow 7F3K", "tenterhook allow"],
  ["npx --package=tenterhook -c 'tenterhook allow 7F3K'", "tenterhook allow"],
  ["npm exec tenterhook -- allow 7F3K", "tenterhook allow"],
  ["pnpm dlx tenterhook trust --all", "tenterhook trust"],
  ["node packages/cli/dist/main.js allow 7F3K", "tenterhook allow"],
  ["cd packages/cli && node dist/main.js trust --all", "tenterhook trust"],
  ["node --no-warnings packages/cli/dist/main.js remove x", "tenterhook remove"],
  ["./th allow 7F3K", "tenterhook allow"],
  ["sh -c 'tenterhook allow 7F3K'", "tenterhook allow"],
  [`bash -lc "echo y | tenterhook allow 7F3K"`, "tenterhook allow"],
  ["sudo -u me tenterhook trust --all", "tenterhook trust"],
  ["env -u CLAUDECODE tenterhook allow 7F3K", "tenterhook allow"],
  ["CLAUDECODE= tenterhook allow 7F3K", "tenterhook allow"],
  ["echo 7F3K | xargs tenterhook allow", "tenterhook allow"],
  ["echo allow 7F3K | xargs tenterhook", "tenterhook allow"],
  ["script -qec 'tenterhook allow 7F3K' /dev/null", "tenterhook allow"],
  ["timeout 5 nohup tenterhook allow 7F3K", "tenterhook allow"],
  ["t=tenterhook; $t allow 7F3K", "tenterhook allow"],
  ["a=allow; tenterhook $a 7F3K", "tenterhook allow"],
  [`ten""terhook al\\low 7F3K`, "tenterhook allow"],
  ['f() { tenterhook "$@"; }; f allow 7F3K', "tenterhook allow"],
  ["$(echo tenterhook) allow 7F3K", "tenterhook allow"],
  ["bash <<'E'\ntenterhook allow 7F3K\nE", "tenterhook allow"],
  [`tenterhook allow 7F3K #${" ".repeat(200_000)}`, "tenterhook allow"],
  ["script -q /dev/null tenterhook allow 7F3K", "tenterhook allow"],
  ["expect -c 'spawn tenterhook allow 7F3K'", "tenterhook allow"],
  ["node $(which tenterhook) allow 7F3K", "tenterhook allow"],
  ["ssh localhost tenterhook allow 7F3K", "tenterhook allow"],
  [`python3 -c 'import pty; pty.spawn(["tenterhook", "allow", "7F3K"])'`, "tenterhook allow"],
  ["for code in 7F3K; do tenterhook allow $code; done", "tenterhook allow"],
  ["tenterhook allow 7F3K; if (", "tenterhook allow"],
  ["tmux send-keys -t 0 'tenterhook allow 7F3K' Enter y Enter", "tenterhook allow"],
  ["tmux new-session -d tenterhook allow 7F3K", "tenterhook allow"],
  ["xterm -e tenterhook trust --all", "tenterhook trust"],
  ["gnome-terminal -- node packages/cli/dist/main.js allow 7F3K", "tenterhook allow"],
  [`osascript -e 'tell app "Terminal" to do script "tenterhook allow 7F3K"'`, "tenterhook allow"],
  ["deno run -A npm:tenterhook trust --all", "tenterhook trust"],
])("%.80s is a command for persons only", async (command, found) => {
  expect(await find(command)).toBe(found);
});

test.each([
  ["tenterhook list"],
  ["tenterhook check"],
  ["tenterhook rules"],
  ["tenterhook explain before_tool --tool Shell"],
  ["tenterhook list remove"],
  ["echo tenterhook allow 7F3K"],
  ["echo 'tenterhook allow 7F3K'"],
  ["git commit -m 'tenterhook allow: say more'"],
  ["grep -rn 'tenterhook trust' docs"],
  ["npm remove lodash"],
  ["which tenterhook; echo I trust it"],
  ["$unknown x; echo tenterhook: allow all"],
  ["git remote remove origin && node app/main.js allow x"],
  ["node app/main.js remove"],
  ["cat packages/cli/dist/main.js allow"],
  ["tmux new-session -d 'tenterhook list'"],
  ["ls"],
])("%s is not", async (command) => {
  expect(await find(command)).toBeUndefined();
});

test.each([
  [{ command: "tenterhook allow 7F3K" }],
  [{ command: "tenterhook", args: ["allow", "7F3K"] }],
  [{ command: "npx", args: ["-y", "tenterhook", "allow", "7F3K"] }],
])("so is one that a shell of an MCP server is given as %j", async (toolInput) => {
  const payload = { toolName: "mcp__terminal__run", toolAliases: ["Shell"], toolInput };
  const step = { event: "before_tool", payload };
  const place = { workDir: folder, home: "/home/dev" };
  expect(await findOwnCommand([step as unknown as Step], place)).toBe("tenterhook allow");
});

test("only a shell's commands are read", async () => {
  const write = {
    event: "before_tool",
    payload: { toolName: "WriteFile", toolInput: { command: "tenterhook allow A" } },
  };
  expect(
    await findOwnCommand([write as unknown as Step], { workDir: folder, home: undefined }),
  ).toBeUndefined();
});
