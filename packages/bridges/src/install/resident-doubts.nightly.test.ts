import { once } from "node:events";
import {
  chmodSync,
  copyFileSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import type { Socket } from "node:net";
import { describe, expect, test } from "vitest";
import { formatMessage } from "../resident/messages.ts";
import { formatAnswer } from "../resident/response.ts";
import { COLD, ended, Front, NO_OBJECTION } from "../testing/front.ts";
import type { ScriptServer } from "../testing/script-server.ts";

const REFUSED = { code: 2, stderr: expect.stringContaining("its resident process did not give an answer") };
const ANSWER = formatAnswer(NO_OBJECTION);
const WRONG = "f".repeat(32);

describe.runIf(process.platform === "linux")(
  "the script, where it cannot be sure of a resident process",
  () => {
    test.each<[string, (socket: Socket) => void]>([
      ["is not made of messages", (socket) => socket.end("HTTP/1.1 200 OK\r\n\r\n{}")],
      ["is empty", (socket) => socket.end()],
      ["has another code", (socket) => socket.end(Buffer.concat(["0", "", ""].map(formatMessage)))],
      ["has no code", (socket) => socket.end(Buffer.concat(["", "", ""].map(formatMessage)))],
      ["has a part too few", (socket) => socket.end(Buffer.concat(["40", ""].map(formatMessage)))],
      ["is cut", (socket) => socket.end(ANSWER.subarray(0, -1))],
      ["is a closed connection", (socket) => socket.destroy()],
    ])("refuses if the response %s, and asks nothing again", async (_, respond) => {
      const front = new Front();
      const server = await front.serve(respond);
      expect(await front.call("{}")).toMatchObject(REFUSED);
      expect(server.calls.length).toBe(1);
      expect(front.wasCold).toBe(false);
    });

    test.each(["and closes its pipe", "and leaves its pipe open"])(
      "refuses at silence before the client's time is over, if the client sends its call %s",
      async (how) => {
        const front = new Front();
        await front.serve(() => undefined);
        const child = front.start({}, "/bin/sh", 8);
        if (how.includes("open")) child.stdin?.write("{}");
        else child.stdin?.end("{}");
        expect(await ended(child)).toMatchObject(REFUSED);
        child.stdin?.destroy();
        expect(front.wasCold).toBe(false);
      },
    );

    test.each<[string, (socket: Socket, server: ScriptServer) => void]>([
      ["does not say whether it takes the call", () => undefined],
      ["closes the connection", (socket) => socket.destroy()],
      ["has another proof", (socket) => socket.write(formatMessage(`${WRONG} serve`))],
      ["gives no proof", (socket) => socket.write(formatMessage("serve"))],
      ["sends something else", (socket) => socket.write("HTTP/1.1 200 OK\r\n\r\n")],
      ["repeats the secret", (socket, { about }) => socket.write(formatMessage(`${about.secret} serve`))],
    ])("sends no text to a process that %s", async (_, decide) => {
      const front = new Front();
      const server = await front.serve(NO_OBJECTION, { decide: (socket) => decide(socket, server) });
      expect(await front.call('{"a":1}', {}, "/bin/sh", 4)).toEqual(COLD);
      expect([server.heads.length, server.calls.length]).toEqual([1, 0]);
      expect(front.coldText.toString()).toBe('{"a":1}');
    });

    test.each<[string, (front: Front, server: ScriptServer) => void]>([
      [
        "the folder is a link",
        ({ resident }) => {
          renameSync(resident, `${resident}-2`);
          symlinkSync(`${resident}-2`, resident);
        },
      ],
      ["others may enter the folder", ({ resident }) => chmodSync(resident, 0o711)],
      ["others may enter the folder above it", ({ resident }) => chmodSync(`${resident}/..`, 0o755)],
      ["others may read the file about it", (_, { files }) => chmodSync(files.about, 0o644)],
      ["others may write to the socket", (_, { files }) => chmodSync(files.socket, 0o666)],
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
        (_, { files, about }) => writeFileSync(files.about, `999999999 ${about.secret} ${about.proof}\n`),
      ],
      [
        "another process listens",
        (_, { files, about }) =>
          writeFileSync(files.about, `${process.ppid} ${about.secret} ${about.proof}\n`),
      ],
      [
        "its secret is too short",
        (_, { files, about }) =>
          writeFileSync(files.about, `${about.pid} ${about.secret.slice(1)} ${about.proof}\n`),
      ],
      [
        "its socket is a file",
        (_, { files }) => {
          rmSync(files.socket);
          writeFileSync(files.socket, "");
        },
      ],
    ])("sends nothing if %s", async (_, change) => {
      const front = new Front();
      const server = await front.serve();
      change(front, server);
      expect(await front.call('{"a":1}')).toEqual(COLD);
      expect(server.heads).toEqual([]);
      expect(front.coldText.toString()).toBe('{"a":1}');
    });

    test.each(["mnt", "net", "user", "pid"])("sends nothing from another %s namespace", async (kind) => {
      const front = new Front();
      const server = await front.serve();
      const option = { mnt: "--mount", net: "--net", user: "--user", pid: "--pid" }[kind] ?? "";
      const more = kind === "pid" ? ["--fork", "--mount-proc"] : [];
      const isRoot = process.getuid?.() === 0;
      const args = [option, ...more, ...(kind === "user" || !isRoot ? ["--map-root-user"] : [])];
      const child = front.startIn(front.root, ["unshare", ...args, ...front.words()]);
      child.stdin?.end('{"a":1}');
      const ran = await ended(child);
      // Where a container allows no new namespace, it does not start.
      const isRefused = ran.stderr.startsWith("unshare: ");
      if (isRefused) console.warn(`Not tested, because this system refuses it: ${ran.stderr}`);
      expect(ran).toEqual(isRefused ? { code: 1, stdout: "", stderr: ran.stderr } : COLD);
      expect(server.heads).toEqual([]);
    });

    test.each(["SIGTERM", "SIGINT", "SIGHUP"] as const)(
      "refuses the call at %s while a hook runs, and closes its connection",
      async (signal) => {
        const front = new Front();
        let waiting: (socket: Socket) => void = () => undefined;
        const socket = new Promise<Socket>((resolve) => {
          waiting = resolve;
        });
        await front.serve(waiting);
        const child = front.start();
        child.stdin?.end("{}");
        const isClosed = once(await socket, "close");
        child.kill(signal);
        const { code, stderr } = await ended(child);
        expect({ code, stderr }).toEqual({
          code: 2,
          stderr: expect.stringContaining("the agent ended it before its hooks had answered"),
        });
        await isClosed;
      },
    );

    test("refuses the call if its front is killed", async () => {
      const front = new Front();
      await front.serve((_, { head }) => {
        const children = readFileSync(`/proc/${head.caller}/task/${head.caller}/children`, "utf8");
        process.kill(Number(children.trim()), "SIGKILL");
      });
      const child = front.start();
      child.stdin?.end("{}");
      expect(await ended(child)).toMatchObject(REFUSED);
      expect(front.wasCold).toBe(false);
    });

    test.each([
      ["closed", ">&-"],
      ["a pipe that is closed", "| :"],
    ])("does not pass a call if the client's output is %s", async (_, redirection) => {
      const front = new Front();
      await front.serve({ stdout: "x".repeat(1_000_000), stderr: "", exit: 0 });
      const line = `{ "$@"; echo $? >'${front.root}/code'; } ${redirection}`;
      const child = front.startIn(front.root, ["/bin/sh", "-c", line, "sh", ...front.words()]);
      child.stdin?.end("{}");
      await ended(child);
      expect(readFileSync(`${front.root}/code`, "utf8")).not.toBe("0\n");
    });
  },
);
