import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import { temporaryFolder } from "@tenterhook/test-support/temporary-folder";
import { describe, expect, onTestFinished, test } from "vitest";
import { loadClients } from "../clients/index.ts";
import { findText } from "../resident/request.ts";
import { formatResponse, type ResidentAnswer } from "../resident/response.ts";
import { type ReceivedCall, ScriptServer } from "../testing/script-server.ts";
import { fallbackAnswers } from "./fallback-answers.ts";
import { hookScript } from "./hook-script.ts";

const answers = fallbackAnswers(await loadClients());
const CURL = ["/usr/bin/curl", "/usr/local/bin/curl", "/opt/homebrew/bin/curl"].find(existsSync);
const SHELLS = ["/bin/sh", "/bin/bash", "/usr/bin/busybox"].filter(existsSync);
const ALL_BYTES = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));

/** Stores its arguments and its standard input, and answers. */
const COLD_BRIDGE = `const fs = require("node:fs");
fs.writeFileSync(process.env.COLD + "-text", fs.readFileSync(0));
fs.writeFileSync(process.env.COLD, JSON.stringify(process.argv.slice(2)));
process.stdout.write("cold\\n");
process.exit(40);`;

interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The installed script in a folder of its own, with a guard that must not be passed over. */
class Front {
  readonly root = temporaryFolder();
  readonly resident = join(this.root, "r", "key");
  readonly cold = join(this.root, "cold");
  readonly script = join(this.root, "hook");

  constructor(curl = CURL ?? "") {
    const guards = join(this.root, "guards");
    writeFileSync(guards, "before_tool\t*\tthe-guard\n");
    const bridge = join(this.root, "bridge.js");
    writeFileSync(bridge, COLD_BRIDGE);
    const pins = {
      ...{ node: process.execPath, bridge, home: this.root, configHome: join(this.root, "a b") },
      ...{ stateHome: this.root, cacheHome: this.root, path: ["/usr/bin", "/bin"], language: {} },
    };
    const resident = { folder: this.resident, curl };
    writeFileSync(this.script, hookScript({ pins, answers, guards, hasPrivilegedMode: false, resident }));
  }

  /** A server that answers as given. */
  async serve(
    respond: ResidentAnswer | ((response: ServerResponse, call: ReceivedCall) => void),
    early?: ConstructorParameters<typeof ScriptServer>[2],
  ): Promise<ScriptServer> {
    const server = new ScriptServer(
      this.resident,
      typeof respond === "function"
        ? respond
        : (response) => response.end(formatResponse(server.about.secret, respond)),
      early,
    );
    onTestFinished(() => server.close());
    return server.listen();
  }

  start(env: Readonly<Record<string, string>> = {}, shell = "/bin/sh", seconds = 60): ChildProcess {
    const args = ["--client", "claude", "--event", "PreToolUse", "--timeout", String(seconds), "--entry", ""];
    const words = shell.endsWith("busybox") ? ["sh", this.script] : [this.script];
    return spawn(shell, [...words, ...args], {
      cwd: this.root,
      env: { PATH: "/usr/bin:/bin", COLD: this.cold, ...env },
    });
  }

  call(text: string | Buffer, ...start: Parameters<Front["start"]>): Promise<Ran> {
    const child = this.start(...start);
    child.stdin?.on("error", () => undefined);
    child.stdin?.end(text);
    return ended(child);
  }

  get wasCold(): boolean {
    return existsSync(this.cold);
  }

  /** The text that the cold bridge got. */
  get coldText(): Buffer {
    const text = readFileSync(`${this.cold}-text`);
    const isFramed = JSON.parse(readFileSync(this.cold, "utf8")).includes("--framed");
    return isFramed ? text.subarray(findText(text)) : text;
  }
}

async function ended(child: ChildProcess): Promise<Ran> {
  const output = { stdout: "", stderr: "" };
  for (const stream of ["stdout", "stderr"] as const)
    child[stream]?.setEncoding("utf8").on("data", (text: string) => {
      output[stream] += text;
    });
  const [code] = await once(child, "close");
  return { code, ...output };
}

const REFUSED = { code: 2, stderr: expect.stringContaining("its resident process did not give an answer") };

describe.runIf(process.platform === "linux")("the script's call of a resident process", () => {
  test("curl is installed, as these tests need it", () => {
    expect(CURL).toBeDefined();
  });

  test.each(SHELLS)("%s gives the client each byte of an answer", async (shell) => {
    const letters = Array.from({ length: 0x2ff }, (_, code) => String.fromCharCode(code + 1)).join("");
    const stdout = `  ${letters}\\n\\\\ %s \\c \\0101 *\n\n~ $HOME $(ls) ${"é\\".repeat(200_000)}`;
    const stderr = `${letters}\n\n  two\\n\n\n`;
    for (const exit of [0, 2] as const) {
      const front = new Front();
      await front.serve({ type: "answer", stdout: `${stdout}\n`, stderr, exit });
      const ran = await front.call("{}", {}, shell);
      expect(ran.code).toBe(exit);
      expect(ran.stdout === `${stdout}\n`).toBe(true);
      expect(ran.stderr).toBe(stderr);
      expect(front.wasCold).toBe(false);
    }
  });

  test.each(SHELLS)("%s prints nothing for an empty answer", async (shell) => {
    const front = new Front();
    await front.serve({ type: "answer", stdout: "", stderr: "", exit: 0 });
    expect(await front.call("{}", {}, shell)).toEqual({ code: 0, stdout: "", stderr: "" });
  });

  test.each(SHELLS)("%s sends the text, the arguments and the environment as they are", async (shell) => {
    const front = new Front();
    const server = await front.serve({ type: "answer", stdout: "", stderr: "", exit: 0 });
    const values = {
      LINES_: "a\n\nb=c\n",
      EMPTY: "",
      http_proxy: "http://127.0.0.1:9",
      CURL_HOME: front.root,
    };
    writeFileSync(join(front.root, ".curlrc"), `output = "${front.root}/stolen"\n`);
    const text = Buffer.concat([ALL_BYTES, Buffer.alloc(3_000_000, "x"), Buffer.from("\n\n\0\n")]);
    const proxies = { ALL_PROXY: "http://127.0.0.1:9", XDG_RUNTIME_DIR: "/" };
    const keys = { SSLKEYLOGFILE: join(front.root, "keys"), LC_ALL: "de_DE.UTF-8" };
    expect(await front.call(text, { ...values, ...proxies, ...keys }, shell)).toMatchObject({ code: 0 });
    const [call] = server.calls;
    expect(call?.text.equals(text)).toBe(true);
    expect(call?.head).toMatchObject({ cwd: front.root, env: { ...values, ...proxies } });
    expect(call?.head.args).toEqual([
      ...["--client", "claude", "--event", "PreToolUse", "--timeout", "60", "--entry", ""],
      ...["--home", front.root, "--config-home", join(front.root, "a b"), "--state-home", front.root],
      ...["--cache-home", front.root, "--resident", front.resident],
    ]);
    expect(existsSync(join(front.root, "stolen"))).toBe(false);
    expect(existsSync(join(front.root, "keys"))).toBe(false);
  });

  test.each(SHELLS)("%s is answered while the client's pipe stays open", async (shell) => {
    const front = new Front();
    const server = await front.serve(
      (response) =>
        response.end(
          formatResponse(server.about.secret, { type: "answer", stdout: "{}", stderr: "", exit: 0 }),
        ),
      (_request, _response, { head, text }) => {
        if (text.toString() === '{"a":1}') process.kill(head.sender, "SIGTERM");
      },
    );
    const child = front.start({}, shell);
    child.stdin?.write('{"a":1}');
    expect(await ended(child)).toEqual({ code: 0, stdout: "{}\n", stderr: "" });
    child.stdin?.destroy();
  });

  test.each(SHELLS)("%s starts the cold bridge with the whole text if no process listens", async (shell) => {
    const front = new Front();
    const server = await front.serve(() => undefined);
    // A socket that a killed process leaves behind.
    const stale = join(front.root, "stale");
    const child = spawn(process.execPath, [
      "-e",
      `require("net").createServer().listen(${JSON.stringify(stale)}, () => process.kill(process.pid, "SIGKILL"))`,
    ]);
    await once(child, "close");
    server.close();
    rmSync(server.files.socket, { force: true });
    renameSync(stale, server.files.socket);
    const text = Buffer.concat([ALL_BYTES, Buffer.alloc(500_000, "x"), Buffer.from("\n\n")]);
    expect(await front.call(text, {}, shell)).toEqual({ code: 0, stdout: "cold\n", stderr: "" });
    expect(front.coldText.equals(text)).toBe(true);
  });

  test.each(SHELLS)(
    "%s starts the cold bridge with the stored text if the call is declined",
    async (shell) => {
      const front = new Front();
      const text = Buffer.concat([ALL_BYTES, Buffer.from("\n\n")]);
      const server = await front.serve((response, call) => {
        writeFileSync(join(front.resident, "text-1a"), call.text, { mode: 0o600 });
        response.end(formatResponse(server.about.secret, { type: "cold", text: "text-1a" }));
      });
      expect(await front.call(text, {}, shell)).toEqual({ code: 0, stdout: "cold\n", stderr: "" });
      expect(front.coldText.equals(text)).toBe(true);
      expect(existsSync(join(front.resident, "text-1a"))).toBe(false);
    },
  );

  const WRONG = "f".repeat(32);
  test.each<[string, (response: ServerResponse, secret: string) => void]>([
    ["is an empty object", (response) => response.end("{}")],
    ["is empty", (response) => response.end()],
    [
      "has another secret",
      (response) => response.end(formatResponse(WRONG, { type: "answer", stdout: "", stderr: "", exit: 0 })),
    ],
    ["begins with another secret", (response, secret) => response.end(`${WRONG} 40\ne\no\n${secret} end\n`)],
    ["has no end", (response, secret) => response.end(`${secret} 40\ne\no\n`)],
    ["has another code", (response, secret) => response.end(`${secret} 0\ne\no\n${secret} end\n`)],
    ["has a line too many", (response, secret) => response.end(`${secret} 40\ne\no\nx\n${secret} end\n`)],
    [
      "names a file elsewhere",
      (response, secret) => response.end(formatResponse(secret, { type: "cold", text: "../../guards" })),
    ],
    [
      "is cut",
      (response, secret) => {
        const whole = formatResponse(secret, { type: "answer", stdout: "", stderr: "", exit: 0 });
        response.setHeader("content-length", whole.length + 1);
        response.write(whole);
        response.socket?.destroySoon();
      },
    ],
    ["is a closed connection", (response) => response.socket?.destroy()],
  ])("a response that %s refuses, and asks nothing again", async (_, respond) => {
    const front = new Front();
    const server = await front.serve((response) => respond(response, server.about.secret));
    expect(await front.call("{}")).toMatchObject(REFUSED);
    expect(server.calls.length).toBe(1);
    expect(front.wasCold).toBe(false);
  });

  test.each(["and closes its pipe", "and leaves its pipe open"])(
    "silence refuses before the client's time is over, if the client sends its call %s",
    async (how) => {
      const front = new Front();
      await front.serve(() => undefined);
      const child = front.start({}, "/bin/sh", 2);
      if (how.includes("open")) child.stdin?.write("{}");
      else child.stdin?.end("{}");
      expect(await ended(child)).toMatchObject(REFUSED);
      child.stdin?.destroy();
      expect(front.wasCold).toBe(false);
    },
  );

  test.each<[string, (front: Front, server: ScriptServer) => void]>([
    [
      "the folder is a link",
      ({ resident }) => {
        renameSync(resident, `${resident}-2`);
        symlinkSync(`${resident}-2`, resident);
      },
    ],
    ["the file about it is gone", (_, { files }) => rmSync(files.about)],
    [
      "the file about it is a link",
      (_, { files }) => {
        copyFileSync(files.about, `${files.about}-2`);
        rmSync(files.about);
        symlinkSync(`${files.about}-2`, files.about);
      },
    ],
    ["the file about it is empty", (_, { files }) => writeFileSync(files.about, "")],
    [
      "its process is gone",
      (_, { files, about }) => writeFileSync(files.about, `999999999 ${about.secret}\n`),
    ],
    [
      "its secret is too short",
      (_, { files, about }) => writeFileSync(files.about, `${about.pid} ${about.secret.slice(1)}\n`),
    ],
    [
      "its socket is a file",
      (_, { files }) => {
        rmSync(files.socket);
        writeFileSync(files.socket, "");
      },
    ],
  ])("nothing is sent if %s", async (_, change) => {
    const front = new Front();
    const server = await front.serve({ type: "answer", stdout: "", stderr: "", exit: 0 });
    change(front, server);
    expect(await front.call('{"a":1}')).toEqual({ code: 0, stdout: "cold\n", stderr: "" });
    expect(server.calls).toEqual([]);
    expect(front.coldText.toString()).toBe('{"a":1}');
  });

  test.each(["mnt", "net", "user", "pid"])("nothing is sent from another %s namespace", async (kind) => {
    const front = new Front();
    const server = await front.serve({ type: "answer", stdout: "", stderr: "", exit: 0 });
    const option = { mnt: "--mount", net: "--net", user: "--user", pid: "--pid" }[kind] ?? "";
    const more = kind === "pid" ? ["--fork", "--mount-proc"] : [];
    const isRoot = process.getuid?.() === 0;
    const args = [option, ...more, ...(kind === "user" || !isRoot ? ["--map-root-user"] : [])];
    const inside = [
      "/bin/sh",
      front.script,
      "--client",
      "claude",
      "--event",
      "PreToolUse",
      "--timeout",
      "60",
    ];
    const child = spawn("unshare", [...args, ...inside], {
      cwd: front.root,
      env: { PATH: "/usr/bin:/bin", COLD: front.cold },
    });
    child.stdin.end('{"a":1}');
    const ran = await ended(child);
    // A container may not allow new namespaces.
    if (/unshare failed|Operation not permitted/.test(ran.stderr)) return;
    expect(ran).toEqual({ code: 0, stdout: "cold\n", stderr: "" });
    expect(server.calls).toEqual([]);
  });

  test("a curl that is gone or cannot run leaves the whole text to the cold bridge", async () => {
    const broken = join(temporaryFolder(), "curl");
    writeFileSync(broken, "not a program \0\x01", { mode: 0o755 });
    for (const curl of ["/nonexistent/curl", broken]) {
      const front = new Front(curl);
      await front.serve({ type: "answer", stdout: "", stderr: "", exit: 0 });
      expect((await front.call('{"a":1}')).stdout).toBe("cold\n");
      expect(front.coldText.toString()).toBe('{"a":1}');
    }
  });

  test.each(["SIGTERM", "SIGINT", "SIGHUP"] as const)(
    "%s while a hook runs refuses the call",
    async (signal) => {
      const front = new Front();
      let arrived: () => void = () => undefined;
      const waiting = new Promise<void>((resolve) => {
        arrived = resolve;
      });
      await front.serve(() => arrived());
      const child = front.start();
      child.stdin?.end("{}");
      await waiting;
      child.kill(signal);
      const { code, stderr } = await ended(child);
      expect({ code, stderr }).toEqual({
        code: 2,
        stderr: expect.stringContaining("the agent ended it before its hooks had answered"),
      });
    },
  );

  test("folders whose names have quotes, spaces and line breaks are sent as they are", async () => {
    const front = new Front();
    const server = await front.serve({ type: "answer", stdout: "", stderr: "", exit: 0 });
    const cwd = join(front.root, "a 'b\"\n");
    mkdirSync(cwd);
    const args = [front.script, "--client", "claude", "--event", "PreToolUse", "--timeout", "60"];
    const child = spawn("/bin/sh", args, { cwd, env: { PATH: "/usr/bin:/bin", COLD: front.cold } });
    child.stdin.end("{}");
    expect((await ended(child)).code).toBe(0);
    expect(server.calls[0]?.head.cwd).toBe(cwd);
  });
});
