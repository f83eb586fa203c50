import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "@tenterhook/test-support/temporary-folder";
import { describe, expect, test } from "vitest";
import { formatAnswer, formatDecision } from "../resident/response.ts";
import { COLD, ended, Front, NO_OBJECTION, PERL, SHELLS } from "../testing/front.ts";
import { FRONT_PROGRAM } from "./front-program.ts";

const ALL_BYTES = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));

test("the program in Perl has no single quote, which would end it in the script", () => {
  expect(FRONT_PROGRAM).not.toContain("'");
});

describe.runIf(process.platform === "linux")("the script's call of a resident process", () => {
  test("Perl is installed, as these tests need it", () => {
    expect(existsSync(PERL)).toBe(true);
  });

  test.each(SHELLS)("%s gives the client each byte of an answer", async (shell) => {
    const letters = Array.from({ length: 0x2ff }, (_, code) => String.fromCharCode(code + 1)).join("");
    const stdout = `  ${letters}\\n\\\\ %s \\c \\0101 *\n\n~ $HOME $(ls) ${"é\\".repeat(2_000_000)}`;
    const stderr = `${letters}\0\n\n  two\\n\n\n`;
    for (const exit of [0, 2] as const) {
      const front = new Front();
      await front.serve({ stdout: `${stdout}\n`, stderr, exit });
      const ran = await front.call("{}", {}, shell);
      expect(ran.code).toBe(exit);
      expect(ran.stdout === `${stdout}\n`).toBe(true);
      expect(ran.stderr).toBe(stderr);
      expect(front.wasCold).toBe(false);
    }
  });

  test.each(SHELLS)("%s prints nothing for an empty answer", async (shell) => {
    const front = new Front();
    await front.serve();
    expect(await front.call("{}", {}, shell)).toEqual({ code: 0, stdout: "", stderr: "" });
    expect(front.wasCold).toBe(false);
  });

  test.each(SHELLS)("%s sends the text and the arguments as they are", async (shell) => {
    const front = new Front();
    const server = await front.serve();
    const text = Buffer.concat([ALL_BYTES, Buffer.alloc(3_000_000, "x"), Buffer.from("\n\n\0\n")]);
    expect(await front.call(text, {}, shell)).toMatchObject({ code: 0 });
    const [call] = server.calls;
    expect(call?.text.equals(text)).toBe(true);
    expect(call?.head.cwd).toBe(front.root);
    expect(call?.head.args).toEqual([
      ...["--client", "claude", "--event", "PreToolUse", "--timeout", "60", "--entry", ""],
      ...["--home", front.root, "--config-home", join(front.root, "a b"), "--state-home", front.root],
      ...["--cache-home", front.root, "--resident", front.resident],
    ]);
  });

  test.each(SHELLS)("%s sends the environment that the cold bridge would get", async (shell) => {
    const front = new Front();
    const env = {
      ...{ LINES_: "a\n\nb=c\n", EMPTY: "", LATIN: "é", job: "1", ended: "2", resident_perl: "3" },
      ...{ XDG_RUNTIME_DIR: "/", LC_ALL: "xx_XX.UTF-8", LARGE: "x".repeat(60_000), LD_BIND_NOW: "1" },
      ...{ PERL5OPT: "-Mnone", PERL5LIB: front.root, PERLIO: ":utf8", PERL_UNICODE: "SDA", PERL5DB: "die" },
    };
    expect(await front.call("{}", env, shell)).toMatchObject({ code: 0, stdout: COLD.stdout });
    const expected = front.coldEnvironment;
    const server = await front.serve({ stdout: "é\n", stderr: "é", exit: 0 });
    const text = Buffer.from(`{"é":"${"é".repeat(100_000)}"}`);
    expect(await front.call(text, env, shell)).toMatchObject({ code: 0, stdout: "é\n" });
    expect(server.calls[0]?.head.env).toEqual(expected);
    expect(server.calls[0]?.text.equals(text)).toBe(true);
  });

  test.each(SHELLS)("%s is answered while the client's pipe stays open", async (shell) => {
    const front = new Front();
    await front.serve(() => undefined, {
      early: (socket, { text }) => {
        if (text.toString() === '{"a":1}') socket.end(formatAnswer({ stdout: "{}", stderr: "", exit: 0 }));
      },
    });
    const child = front.start({}, shell);
    child.stdin?.write('{"a":1}');
    expect(await ended(child)).toEqual({ code: 0, stdout: "{}\n", stderr: "" });
    child.stdin?.destroy();
  });

  test("an answer that comes while the client still sends is given to it", async () => {
    const front = new Front();
    await front.serve(() => undefined, {
      early: (socket) => {
        socket.pause();
        socket.end(formatAnswer({ stdout: "early", stderr: "", exit: 2 }), () => socket.destroy());
      },
    });
    const ran = await front.call(Buffer.alloc(20_000_000, "x"));
    expect(ran).toEqual({ code: 2, stdout: "early\n", stderr: "" });
  });

  test.each(SHELLS)("%s starts the cold bridge with the whole text if no process listens", async (shell) => {
    const front = new Front();
    const server = await front.serve();
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
    expect(await front.call(text, {}, shell)).toEqual(COLD);
    expect(front.coldText.equals(text)).toBe(true);
  });

  test.each(SHELLS)(
    "%s starts the cold bridge with the whole text if the call is declined",
    async (shell) => {
      const front = new Front();
      const server = await front.serve(NO_OBJECTION, {
        decide: (socket) => socket.end(formatDecision(server.about)),
      });
      const text = Buffer.concat([ALL_BYTES, Buffer.alloc(500_000, "x"), Buffer.from("\n\n")]);
      expect(await front.call(text, {}, shell)).toEqual(COLD);
      expect(front.coldText.equals(text)).toBe(true);
      expect([server.heads.length, server.calls.length]).toEqual([1, 0]);
    },
  );

  test("a Perl that is gone or cannot run leaves the whole text to the cold bridge", async () => {
    const broken = join(temporaryFolder(), "perl");
    writeFileSync(broken, "not a program \0\x01", { mode: 0o755 });
    for (const perl of ["/nonexistent/perl", broken]) {
      const front = new Front(perl);
      await front.serve();
      expect((await front.call('{"a":1}')).stdout).toBe("cold\n");
      expect(front.coldText.toString()).toBe('{"a":1}');
    }
  });

  test("folders whose names have quotes, spaces and line breaks are sent as they are", async () => {
    const front = new Front();
    const server = await front.serve();
    const cwd = join(front.root, "a 'b\"\n");
    mkdirSync(cwd);
    const child = front.startIn(cwd, front.words());
    child.stdin?.end("{}");
    expect((await ended(child)).code).toBe(0);
    expect(server.calls[0]?.head.cwd).toBe(cwd);
  });

  test("a folder that was removed leaves the call to the cold bridge", async () => {
    const front = new Front();
    const server = await front.serve();
    const cwd = join(front.root, "gone");
    mkdirSync(cwd);
    const line = `rmdir '${cwd}'; exec "$0" "$@"`;
    const child = front.startIn(cwd, ["/bin/sh", "-c", line, ...front.words()]);
    child.stdin?.end("{}");
    expect((await ended(child)).stdout).toBe("cold\n");
    expect(server.heads).toEqual([]);
  });
});
