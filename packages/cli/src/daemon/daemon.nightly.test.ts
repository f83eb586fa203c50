import { existsSync, readdirSync, readFileSync } from "node:fs";
import type { Socket } from "node:net";
import { join } from "node:path";
import { formatAnswer, formatMessage, MessageReader } from "@tenterhook/bridges/resident";
import { isAlive } from "@tenterhook/test-support/is-alive";
import { describe, expect, test } from "vitest";
import { fixtures } from "../../../bridges/src/testing/fixtures.ts";
import { CommandSandbox, type Ran } from "../testing/command-sandbox.ts";
import {
  type ClientCall,
  type DaemonResponse,
  RunningDaemon,
  runCold,
  startCaller,
} from "../testing/running-daemon.ts";

const TRIGGERS = ["before_tool", "after_tool", "before_agent", "session_start"];

/** What hooks answer, in turn. */
const SCRIPTS = [
  'echo "no $MARK $LINES_OF_IT $PWD $TENTERHOOK_EVENT" >&2; exit 2',
  `printf '{"decision":"ask","reason":"sure, %s?"}' "$MARK"`,
  `printf '{"additional_context":"%s in %s"}' "$MARK" "$TENTERHOOK_PROJECT_DIR"`,
  'echo "noise $MARK"; exit 3',
];

/** A user who has turned the resident process on. */
function residentSandbox(): CommandSandbox {
  const sandbox = new CommandSandbox();
  sandbox.turnDaemonOn();
  return sandbox;
}

function sandboxWith(script: string, fields: readonly string[] = []): CommandSandbox {
  const sandbox = residentSandbox();
  for (const trigger of TRIGGERS)
    sandbox.hook(trigger.replaceAll("_", "-"), { scope: "user", trigger, script, fields });
  return sandbox;
}

function shellCall(sandbox: CommandSandbox, env: Readonly<Record<string, string>> = {}): ClientCall {
  const args = ["--client", "claude", "--event", "PreToolUse", "--timeout", "600", "--home", sandbox.home];
  const call = { tool_name: "Bash", tool_input: { command: "ls" }, tool_use_id: `call ${Math.random()}` };
  const session = { session_id: "s1", cwd: sandbox.project, permission_mode: "default" };
  const text = JSON.stringify({ ...session, hook_event_name: "PreToolUse", ...call });
  return { args, env: sandbox.env(env), cwd: sandbox.project, text };
}

/** The answer that stands for what the cold bridge printed. */
function asAnswer({ code, stdout, stderr }: Ran): readonly string[] {
  const answer = formatAnswer({ stdout, stderr, exit: code === 2 ? 2 : 0 });
  return new MessageReader(Number.MAX_SAFE_INTEGER).add(answer).map(String);
}

/** An answer as one text, without the names of a sandbox's folders. */
function format(answer: readonly string[] = [], { root }: CommandSandbox): string {
  return answer.join("\n").replaceAll(root, "ROOT");
}

function formatText({ answer = [] }: DaemonResponse): string {
  return answer.join("\n");
}

const FIXTURES = fixtures();

describe("the resident process", () => {
  test.each([...new Set(FIXTURES.map(({ client }) => client))])(
    "answers every recorded payload of %s as the cold bridge does, all at once",
    async (id) => {
      const daemon = await RunningDaemon.start();
      const calls = FIXTURES.filter(({ client }) => client === id).map(
        ({ name, client, event, stdin }, at) => {
          const make = (): readonly [CommandSandbox, ClientCall] => {
            const script = SCRIPTS[at % SCRIPTS.length] ?? "";
            const sandbox = sandboxWith(script, at % 2 === 0 ? ["on_error: block"] : []);
            const args = ["--client", client, "--event", event, "--timeout", "600", "--home", sandbox.home];
            const text = JSON.stringify(stdin).replaceAll("/home/dev/project", sandbox.project);
            const env = sandbox.env({ MARK: `mark ${at}`, LINES_OF_IT: "a\nb" });
            return [sandbox, { args, env, cwd: sandbox.project, text }];
          };
          return { name, resident: make(), cold: make() };
        },
      );
      const responses = await Promise.all(calls.map(({ resident: [, call] }) => daemon.call(call)));
      const expected: (readonly string[])[] = [];
      for (const { cold } of calls) expected.push(asAnswer(await runCold(cold[1])));
      const answers = calls.map(({ name, resident, cold }, at) => ({
        name,
        resident: format(responses[at]?.answer, resident[0]),
        cold: format(expected[at], cold[0]),
      }));
      expect(answers.map(({ name, resident }) => [name, resident])).toEqual(
        answers.map(({ name, cold }) => [name, cold]),
      );
      // The hooks were asked.
      expect(answers.some(({ cold }) => cold?.includes("mark"))).toBe(true);
    },
  );

  test("gives each of a hundred calls at once the environment and the folder of its own caller", async () => {
    const daemon = await RunningDaemon.start();
    const sandboxes = [0, 1].map(() => sandboxWith('echo "no $MARK, $HOME" >&2; exit 2'));
    const calls = Array.from({ length: 100 }, (_, at) => {
      const sandbox = sandboxes[at % 2] ?? new CommandSandbox();
      return { sandbox, mark: `mark ${at}`, call: shellCall(sandbox, { MARK: `mark ${at}` }) };
    });
    const responses = await Promise.all(calls.map(({ call }) => daemon.call(call)));
    expect(responses.map((response) => /no (mark \d+, [^\s"\\]+)/.exec(formatText(response))?.[1])).toEqual(
      calls.map(({ sandbox, mark }) => `${mark}, ${sandbox.home}`),
    );
  });

  test("counts a change of a hook, of hooks.toml and of its own setting at the next call", async () => {
    const daemon = await RunningDaemon.start();
    const sandbox = sandboxWith("echo first >&2; exit 2");
    const ask = async () => formatText(await daemon.call(shellCall(sandbox)));
    expect(await ask()).toContain("first");
    sandbox.hook("before-tool", { scope: "user", script: "echo second >&2; exit 2" });
    expect(await ask()).toContain("second");
    const toml = sandbox.write(
      join(sandbox.userHooks, "hooks.toml"),
      "[daemon]\nenabled = true\n[hooks.before-tool]\nenabled = false\n",
    );
    expect(await ask()).not.toContain("second");
    sandbox.write(toml, "[daemon]\nenabled = false\n");
    const ended = new Promise((resolve) => daemon.process.once("exit", resolve));
    expect(await daemon.call(shellCall(sandbox))).toEqual({ decision: "cold" });
    expect(await ended).toBe(0);
    expect(readdirSync(daemon.files.folder)).toEqual([]);
  });

  test("leaves a caller with another umask or another limit to the cold bridge", async () => {
    const daemon = await RunningDaemon.start();
    const sandbox = sandboxWith("exit 2");
    for (const before of ["umask 0177; ", "ulimit -S -c 0; ulimit -H -c 0; ulimit -f 12345; "]) {
      const caller = startCaller(before);
      // Its shell has set them when it has become the program that waits.
      const name = () => readFileSync(`/proc/${caller.pid}/comm`, "utf8");
      await expect.poll(name, { timeout: 60_000 }).toBe("perl\n");
      const response = await daemon.call(shellCall(sandbox), caller);
      expect(response).toEqual({ decision: "cold" });
    }
    expect((await daemon.call(shellCall(sandbox))).answer?.[0]).toBe("42");
  });

  test("runs no hook for a process that says the number of another one, whatever it sends", async () => {
    const daemon = await RunningDaemon.start();
    const sandbox = residentSandbox();
    const out = join(sandbox.root, "ran");
    sandbox.hook("mark", { scope: "user", fields: ["on_error: block"], script: 'echo x >>"$OUT"' });
    const call = shellCall(sandbox, { OUT: out });
    const other = startCaller();
    for (const text of [call.text, "{", `"${"x".repeat(100_000_000)}"`])
      expect(await daemon.send(daemon.request(call, other), text)).toEqual({ decision: "serve" });
    expect(existsSync(out)).toBe(false);
    expect((await daemon.call(call, other)).answer?.[0]).toBe("40");
    expect(existsSync(out)).toBe(true);
  });

  test("ends the hooks of a call whose caller is killed, or whose connection is closed", async () => {
    const daemon = await RunningDaemon.start();
    const sandbox = residentSandbox();
    const started = join(sandbox.root, "started");
    sandbox.hook("slow", {
      scope: "user",
      script: `echo $$ >"$OUT.new"; mv "$OUT.new" "$OUT"; exec sleep 600`,
    });
    for (const way of ["caller", "connection"]) {
      const out = `${started}-${way}`;
      const caller = startCaller();
      const call = shellCall(sandbox, { OUT: out });
      let end = (): void => undefined;
      const response = daemon.send(daemon.request(call, caller), call.text, caller, (socket) => {
        end = way === "caller" ? () => void caller.kill("SIGKILL") : () => void socket.destroy();
      });
      await expect.poll(() => existsSync(out), { timeout: 60_000 }).toBe(true);
      const pid = Number(readFileSync(out, "utf8"));
      end();
      await expect.poll(() => isAlive(pid), { timeout: 60_000 }).toBe(false);
      expect(await response).toEqual({ decision: "serve" });
    }
  });

  test("leaves no hook behind when it is killed", async () => {
    const daemon = await RunningDaemon.start();
    const sandbox = residentSandbox();
    const out = join(sandbox.root, "started");
    sandbox.hook("slow", {
      scope: "user",
      script: `echo $$ >"$OUT.new"; mv "$OUT.new" "$OUT"; exec sleep 600`,
    });
    const response = daemon.call(shellCall(sandbox, { OUT: out }));
    await expect.poll(() => existsSync(out), { timeout: 60_000 }).toBe(true);
    const pid = Number(readFileSync(out, "utf8"));
    daemon.process.kill("SIGKILL");
    await expect.poll(() => isAlive(pid), { timeout: 60_000 }).toBe(false);
    expect(await response).toEqual({ decision: "serve" });
  });

  test("runs no hook for a request that is cut, unknown, without the secret or too long, and answers the next one", async () => {
    const daemon = await RunningDaemon.start();
    const sandbox = residentSandbox();
    const out = join(sandbox.root, "ran");
    sandbox.hook("mark", { scope: "user", fields: ["on_error: block"], script: 'echo x >>"$OUT"' });
    const call = shellCall(sandbox, { OUT: out });
    const caller = startCaller();
    const request = daemon.request(call, caller);
    for (let length = 0; length < request.length; length += 7)
      await daemon.send(request.subarray(0, length), "", undefined, (socket) => socket.end());
    const foreign = daemon.request(call, caller, "0".repeat(32));
    for (const unknown of [foreign, formatMessage("other"), Buffer.alloc(10_000_000, "x"), Buffer.alloc(10)])
      expect(await daemon.send(unknown)).toEqual({});
    // The connection is closed when a part of the text was sent.
    let socket: Socket | undefined;
    const cut = daemon.send(request, formatMessage(call.text.slice(0, -1)), undefined, (began) => {
      socket = began;
    });
    await new Promise((resolve) => socket?.once("data", resolve));
    socket?.end();
    expect(await cut).toEqual({ decision: "serve" });
    const long = `{"a":"${"x".repeat(100_000_000)}"}`;
    expect((await daemon.send(request, long, caller)).answer?.[0]).toBe("42");
    expect(existsSync(out)).toBe(false);
    expect((await daemon.call(call)).answer?.[0]).toBe("40");
    expect(readFileSync(out, "utf8")).toBe("x\n");
  });
});
