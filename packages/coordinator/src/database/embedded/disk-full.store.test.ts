import { spawnSync } from "node:child_process";
import { temporaryFolder } from "@tenterhook/test-support/temporary-folder";
import { afterEach, expect, test } from "vitest";
import { type Program, startProgram } from "../../testing/program.ts";

/** Puts a program on a file system of 64 MB, in a namespace of its own: that needs no rights and leaves nothing behind. */
const SMALL_DISK = [
  "unshare",
  "--user",
  "--map-root-user",
  "--mount",
  "--kill-child",
  "sh",
  "-c",
  'mount -t tmpfs -o size=64m tmpfs "$0" && exec "$@"',
];

// Where namespaces are not permitted, a bound on the size of files is what every process may have.
const hasNamespaces = spawnSync("unshare", ["--user", "--map-root-user", "--mount", "true"]).status === 0;
const DISKS = [...(hasNamespaces ? ["disk"] : []), "limit"];

let program: Program | undefined;
afterEach(() => program?.kill("SIGKILL"));

test.each(DISKS)(
  "a coordinator answers 507 while there is no room, reports it in its health, and continues when there is room again (%s)",
  async (kind) => {
    const folder = temporaryFolder();
    const before = kind === "disk" ? [...SMALL_DISK, folder] : [];
    const served = startProgram({ name: "serve-small-disk", before }, folder, kind);
    program = served;
    const { url, token } = (await served.next()) as { url: string; token: string };
    const order = async (what: string) => {
      served.process.stdin?.write(`${what}\n`);
      expect(await served.next()).toEqual({ done: what });
    };
    const ask = async (path: string, method = "GET", body?: object) => {
      const response = await fetch(`${url}${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        ...(body && { body: JSON.stringify(body) }),
      });
      return { status: response.status, body: (await response.json()) as { run_id?: string } };
    };
    const start = () =>
      ask("/runs", "POST", { agent_name: "echo", parameters: { text: "x".repeat(100_000) } });

    expect((await ask("/agents/echo", "PUT", { type: "procedural", command: ["cat"] })).status).toBe(201);
    const first = await start();
    expect(first.status).toBe(201);
    for (const engineEnds of [false, true]) {
      await order("fill");
      if (engineEnds) {
        served.process.stdin?.write("log\n");
        expect(await served.next()).toEqual({
          refused: expect.stringMatching(/database broke: .*(?:No space left|File too large)/),
        });
        expect(await served.next()).toEqual({ done: "log" });
      }
      const refusals = new Set<number>();
      await expect
        .poll(async () => refusals.add((await start()).status).has(507), { interval: 0 })
        .toBe(true);
      expect([...refusals].filter((status) => ![201, 503, 507].includes(status))).toEqual([]);
      expect(await ask("/healthz")).toMatchObject({
        status: 503,
        body: { code: "unavailable", detail: expect.stringContaining("cannot write") },
      });
      await order("free");
      await expect.poll(async () => (await ask("/healthz")).status).toBe(200);
      expect((await start()).status).toBe(201);
    }
    // What was confirmed before is still there.
    expect((await ask(`/runs/${first.body.run_id}`)).status).toBe(200);
  },
);

test.each(DISKS)(
  "a coordinator stays in trouble until the engine has started again, although there is room at once (%s)",
  async (kind) => {
    const folder = temporaryFolder();
    const before = kind === "disk" ? [...SMALL_DISK, folder] : [];
    program = startProgram({ name: "serve-small-disk", before }, folder, kind);
    await program.next();
    for (const order of ["fill", "trouble"]) program.process.stdin?.write(`${order}\n`);
    expect(await program.next()).toEqual({ done: "fill" });
    const broke = expect.stringMatching(/database broke: .*(?:No space left|File too large)/);
    expect(await program.next()).toEqual({ refused: broke });
    expect(await program.next()).toEqual({ trouble: broke });
  },
);
