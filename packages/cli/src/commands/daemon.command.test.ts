import { spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { BIN, CommandSandbox } from "../testing/command-sandbox.ts";

const BRIDGE = join(dirname(BIN), "bridge", "bridge.js");

/** A sandbox with the lines of an installed script that name the resident process. */
function installed(): CommandSandbox {
  const sandbox = new CommandSandbox();
  sandbox.turnDaemonOn();
  const folder = join(sandbox.root, "it's run", "key");
  mkdirSync(dirname(folder), { mode: 0o700 });
  const quoted = `'${folder.replaceAll("'", "'\\''")}'`;
  const lines = [
    "#!/bin/sh",
    `node=${process.execPath}`,
    `bridge=${BRIDGE}`,
    `resident_folder=${quoted}`,
    "",
  ];
  sandbox.write(join(sandbox.home, ".local", "share", "tenterhook-bridge", "hook"), lines.join("\n"));
  return sandbox;
}

test("daemon runs in the terminal, shows its status, and is ended by a person and not by an agent", async () => {
  const sandbox = installed();
  const status = () => sandbox.json(["daemon", "status"]);
  expect(await status()).toMatchObject({ type: "none" });
  const daemon = spawn(process.execPath, [BIN, "daemon"], {
    env: sandbox.env(),
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void daemon.kill());
  const ended = new Promise((resolve) => daemon.once("exit", resolve));
  await new Promise((resolve) => daemon.stdout.once("data", resolve));
  const running = (await status()) as { readonly pid: number };
  expect(running).toMatchObject({ type: "running", calls: 0, active: 0 });
  expect((await sandbox.run(["daemon", "status"])).stdout).toContain(
    `Process ${running.pid} has answered 0 calls`,
  );
  const second = await sandbox.run(["daemon"]);
  expect([second.code, second.stderr]).toEqual([
    1,
    `tenterhook: no resident process: process ${running.pid} answers already\n`,
  ]);
  const refused = await sandbox.run(["daemon", "stop"], { env: { CLAUDECODE: "1" } });
  expect([refused.code, refused.stderr]).toEqual([
    1,
    expect.stringContaining("REFUSED: this runs inside an agent"),
  ]);
  expect(await status()).toMatchObject({ type: "running" });
  expect((await sandbox.run(["daemon", "stop"])).stdout).toBe(`Stopped process ${running.pid}.\n`);
  expect(await ended).toBe(0);
  expect((await sandbox.run(["daemon", "status"])).stdout).toContain("No resident process is running.");
  expect((await sandbox.run(["daemon", "stop"])).stdout).toBe("No resident process is running.\n");
});

test("daemon says so when nothing is installed", async () => {
  const sandbox = new CommandSandbox();
  expect((await sandbox.run(["daemon", "status"])).stdout).toContain("Nothing is installed.");
  expect(await sandbox.run(["daemon", "stop"])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("Nothing is installed."),
  });
});
