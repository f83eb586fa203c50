import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { temporaryFolder } from "@tenterhook/test-support/temporary-folder";
import { expect, test } from "vitest";
import { pluginText } from "./opencode-plugin.ts";

interface Output {
  status?: string;
  args?: Record<string, unknown>;
  output?: string;
  system?: string[];
}
type Hook = (input: object, output: Output) => Promise<void>;

/** The plugin as OpenCode loads it; it starts a script that answers as a test sets it. */
async function plugin(script: string, guards?: string | null): Promise<Record<string, Hook>> {
  const { folder, url } = pluginFile(script, guards);
  const { Tenterhook } = await import(url);
  return Tenterhook({ directory: folder });
}

function pluginFile(script: string, guards: string | null = "before_tool\t*\tguard\n# Guards\n") {
  const folder = temporaryFolder();
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
  return { folder, url: pathToFileURL(join(folder, "plugin.mjs")).href };
}

/** What a person sees of one tool call: on standard error, and as toasts. With a screen, OpenCode loads plugins in a thread. */
function seen(script: string, isOnScreen: boolean, guards?: string) {
  const { folder, url } = pluginFile(script, guards);
  const call = `
    const client = { tui: { showToast: async ({ body }) => console.log(JSON.stringify(body)) } };
    const { Tenterhook } = await import(${JSON.stringify(url)});
    const hooks = await Tenterhook({ directory: ${JSON.stringify(folder)}, client });
    await hooks["tool.execute.before"]({ tool: "bash", sessionID: "s", callID: "c" }, { args: {} });`;
  writeFileSync(join(folder, "call.mjs"), call);
  const inThread = `import { Worker } from "node:worker_threads"; new Worker(new URL("./call.mjs", import.meta.url));`;
  writeFileSync(join(folder, "thread.mjs"), inThread);
  const program = join(folder, isOnScreen ? "thread.mjs" : "call.mjs");
  const command = '"$0" "$1" 2> "$2"';
  const toasts = execFileSync("/bin/sh", ["-c", command, process.execPath, program, join(folder, "stderr")], {
    encoding: "utf8",
  });
  return {
    stderr: readFileSync(join(folder, "stderr"), "utf8"),
    toasts: toasts
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line).message as string),
  };
}

test.each([true, false])(
  "a note is shown as a toast, and on standard error without a screen (screen: %s)",
  (isOnScreen) => {
    const { stderr, toasts } = seen(`echo '{"note":"tenterhook: h did not answer"}'`, isOnScreen);
    expect(toasts).toEqual(["tenterhook: h did not answer"]);
    expect(stderr).toBe(isOnScreen ? "" : "tenterhook: h did not answer\n");
  },
);

test("a call that passes although the bridge failed is shown", () => {
  const { stderr, toasts } = seen("exit 7", false, "# Guards\n");
  expect(toasts).toEqual([expect.stringContaining("exit code 7")]);
  expect(stderr).toContain("tenterhook could not check this");
});

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
  expect(await sent(hooks, "build")).toEqual(["know this"]);
});

const TITLE = "You are a title generator. You output ONLY a thread title.";

/** Prepares a request as OpenCode does, and returns what was added to its system prompt. */
async function sent(
  hooks: Record<string, Hook>,
  agent: string,
  prompt = "You are OpenCode.",
): Promise<string[]> {
  const request = await offered(hooks, prompt);
  await hooks["chat.params"]?.({ sessionID: "s", agent }, {});
  return request;
}

async function offered(hooks: Record<string, Hook>, prompt: string): Promise<string[]> {
  const system = [prompt];
  await hooks["experimental.chat.system.transform"]?.({ sessionID: "s" }, { system });
  return system.slice(1);
}

/** What OpenCode calls when the model has answered with text. */
const answers = async (hooks: Record<string, Hook>) =>
  hooks["experimental.text.complete"]?.({ sessionID: "s", messageID: "m", partID: "p" }, {});

const KNOW = `echo '{"context":"know this"}'`;

test("text for the model is not in the request for a title, and is in the main model's next one, once", async () => {
  const hooks = await plugin(KNOW);
  await hooks["chat.message"]?.({ sessionID: "s" }, {});
  expect(await sent(hooks, "title", TITLE)).toEqual([]);
  expect(await sent(hooks, "build")).toEqual(["know this"]);
  await answers(hooks);
  expect(await sent(hooks, "build")).toEqual([]);
});

test("the request for a title does not use text up when it overlaps with the main model's, in either order", async () => {
  for (const order of [
    ["title", "build"],
    ["build", "title"],
  ]) {
    const hooks = await plugin(KNOW);
    await hooks["chat.message"]?.({ sessionID: "s" }, {});
    const prompts: Record<string, string> = { title: TITLE, build: "You are OpenCode." };
    const requests: Record<string, string[]> = {};
    for (const agent of order) requests[agent] = await offered(hooks, prompts[agent] ?? "");
    for (const agent of order.toReversed()) await hooks["chat.params"]?.({ sessionID: "s", agent }, {});
    expect(requests).toEqual({ title: [], build: ["know this"] });
    await answers(hooks);
    expect(await sent(hooks, "build")).toEqual([]);
  }
});

test("a title agent with a prompt of the person's own does not use text up either", async () => {
  const hooks = await plugin(KNOW);
  await hooks["chat.message"]?.({ sessionID: "s" }, {});
  await sent(hooks, "title", "Name this conversation.");
  await answers(hooks);
  expect(await sent(hooks, "build")).toEqual(["know this"]);
});

test("text that was in a request which failed is in the next one too", async () => {
  const hooks = await plugin(KNOW);
  await hooks["chat.message"]?.({ sessionID: "s" }, {});
  expect(await sent(hooks, "build")).toEqual(["know this"]);
  expect(await sent(hooks, "build")).toEqual(["know this"]);
  await answers(hooks);
  expect(await sent(hooks, "build")).toEqual([]);
});

test("text that came while a request was prepared is in the next one", async () => {
  const hooks = await plugin(KNOW);
  const request = await offered(hooks, "You are OpenCode.");
  await hooks["chat.message"]?.({ sessionID: "s" }, {});
  await hooks["chat.params"]?.({ sessionID: "s", agent: "build" }, {});
  await answers(hooks);
  expect(request).toEqual([]);
  expect(await sent(hooks, "build")).toEqual(["know this"]);
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
  const folder = temporaryFolder();
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
  ["that is empty", ""],
  ["of zeros, as after a loss of power", "\0".repeat(100)],
  ["with a guard of the root folder", "before_tool\t/\tguard\n# Guards\n"],
  ["that lost its end", "before_tool\t/elsewhere\tguard\n"],
])("with a list of guards %s, a bridge that fails blocks", async (_, guards) => {
  const output = { args: { command: "ls" } };
  await expect(before(await plugin("exit 7", guards), output)).rejects.toThrow("exit code 7");
});

test("with a list of guards that has only its comment, a bridge that fails lets the call pass", async () => {
  const output = { args: { command: "ls" } };
  await expect(before(await plugin("exit 7", "# Guards\n"), output)).resolves.toBeUndefined();
});

test.each([
  ["exit 7", "exit code 7"],
  ["echo no json", "not JSON"],
  ["exit 0", "without an answer"],
])(
  "a bridge that does `%s` blocks where a guard must not be passed over, and nowhere else",
  async (script, why) => {
    const output = { args: { command: "ls" } };
    await expect(before(await plugin(script), output)).rejects.toThrow(why);
    await expect(
      before(
        await plugin(script, "before_tool\t/elsewhere\tguard\nbefore_agent\t*\tother\n# Guards\n"),
        output,
      ),
    ).resolves.toBeUndefined();
  },
);
