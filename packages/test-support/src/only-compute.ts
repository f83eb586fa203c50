import childProcess from "node:child_process";
import { syncBuiltinESMExports } from "node:module";
import { Server } from "node:net";
import threads from "node:worker_threads";

/**
 * Vitest's setup for tests whose file names promise that they only compute: to start a process, a thread or a server is an error.
 * Each project of Vitest has threads of its own, so other tests are not affected.
 */
function refuse(): never {
  throw new Error(
    "This test starts a process, a thread or a server. Name its file *.process.test.ts, or *.command.test.ts if it starts one for every case.",
  );
}

Object.assign(childProcess, {
  spawn: refuse,
  spawnSync: refuse,
  exec: refuse,
  execSync: refuse,
  execFile: refuse,
  execFileSync: refuse,
  fork: refuse,
});
Object.assign(threads, { Worker: refuse });
Object.assign(Server.prototype, { listen: refuse });
syncBuiltinESMExports();
