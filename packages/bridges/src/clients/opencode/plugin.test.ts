import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { pluginText } from "./plugin.ts";

interface Output {
  status?: string;
  args?: Record<string, unknown>;
  output?: string;
  system?: string[];
}
type Hook = (input: object, output: Output) => Promise<void>;

/** The plugin as OpenCode loads it; it starts a script that answers as a test sets it. */
async function plugin(
  script: string,
  guards: string | null = "before_tool\t*\tguard\n",
): Promise<Record<string, Hook>> {
  const folder = mkdtempSync(join(tmpdir(), "tenterhook-opencode-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, "bridge.sh"), `cat > '${folder}/stdin'\n${script}\n`);
  if (guards !== null) writeFileSync(join(folder, "guards"), guards);
  const command = ["/bin/sh", join(folder, "bridge.sh")];
  writeFileSync(
    join(folder, "plugin.mjs"),
    pluginText({
      command,
      arguments: (event) => ["--event", event],
      timeoutMs: 5_000,
      guards: join(folder, "guards"),
    }),
  );
  const { Tenterhook } = await import(pathToFileURL(join(folder, "plugin.mjs")).href);
  return Tenterhook({ directory: folder });
}

const call = { tool: "bash", sessionID: "s", callID: "c" };
const before = async (hooks: Record<string, Hook>, output: Output) =>
  hooks["tool.execute.before"]?.(call, output);

test("a refused call throws the reason", async () => {
  const hooks = await plugin("echo not here >&2; exit 2");
  await expect(before(hooks, { args: { command: "ls" } })).rejects.toThrow("not here");
});

test("a changed input is put into the object that OpenCode keeps", async () => {
  const hooks = await plugin(`echo '{"args":{"command":"echo safe"}}'`);
  const args = { command: "rm", description: "d" };
  await before(hooks, { args });
  expect(args).toEqual({ command: "echo safe" });
});

test("a result that is withheld does not reach the model, and added text does", async () => {
  const hooks = await plugin(`echo '{"result":"clean","context":"know this"}'`);
  const output = { output: "secret" };
  await hooks["tool.execute.after"]?.({ ...call, args: {} }, output);
  expect(output.output).toBe("clean");
  const system: string[] = [];
  await hooks["experimental.chat.system.transform"]?.({ sessionID: "s" }, { system });
  await hooks["experimental.chat.system.transform"]?.({ sessionID: "s" }, { system });
  expect(system).toEqual(["know this"]);
});

const request = {
  sessionID: "s",
  permission: "bash",
  patterns: ["rm -rf x"],
  metadata: {},
  tool: { callID: "c" },
};

test("a request for permission that a hook refuses is denied, and one that it lets pass is still asked", async () => {
  const refused = { status: "ask" };
  await (await plugin("echo never >&2; exit 2"))["permission.ask"]?.(request, refused);
  expect(refused.status).toBe("deny");
  const passed = { status: "ask" };
  await (await plugin("exit 0"))["permission.ask"]?.(request, passed);
  expect(passed.status).toBe("ask");
});

test.each([
  ["of this version", request],
  ["of earlier versions", { sessionID: "s", type: "bash", pattern: "rm -rf x", metadata: {}, callID: "c" }],
])("a request for permission %s is sent with its tool and its command", async (_, input) => {
  const folder = mkdtempSync(join(tmpdir(), "tenterhook-opencode-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const hooks = await plugin(`cp "$(dirname "$0")/stdin" '${folder}/sent'`);
  await hooks["permission.ask"]?.(input, { status: "ask" });
  expect(JSON.parse(readFileSync(join(folder, "sent"), "utf8"))).toMatchObject({
    hook_event_name: "PermissionRequest",
    session_id: "s",
    tool_name: "bash",
    tool_use_id: "c",
    tool_input: { command: "rm -rf x" },
  });
});

test("without the list of guards, a bridge that fails blocks", async () => {
  const output = { args: { command: "ls" } };
  await expect(before(await plugin("exit 7", null), output)).rejects.toThrow("exit code 7");
});

test.each([
  ["exit 7", "exit code 7"],
  ["echo no json", "no JSON"],
])(
  "a bridge that does `%s` blocks where a guard must not be passed over, and nowhere else",
  async (script, why) => {
    const output = { args: { command: "ls" } };
    await expect(before(await plugin(script), output)).rejects.toThrow(why);
    await expect(
      before(await plugin(script, "before_tool\t/elsewhere\tguard\nbefore_agent\t*\tother\n"), output),
    ).resolves.toBeUndefined();
  },
);
