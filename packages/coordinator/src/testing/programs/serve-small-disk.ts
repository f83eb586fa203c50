// Serves a coordinator from a folder on a small disk, or with "limit" on one where no file may grow any more while it is full.
// Lines that it takes: "fill" takes all room that is left on the disk, "free" gives it back, "log" fills the log of the database,
// which cannot continue when there is no room for it, "trouble" gives the room back and asks the database at once how it is.
import { execFileSync } from "node:child_process";
import { closeSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { serveCoordinator } from "../../serve.ts";

const [folder = "", kind = "disk"] = process.argv.slice(2);
const ballast = join(folder, "ballast");
const served = await serveCoordinator({ folder, report: () => {} });
const print = (what: object) => console.log(JSON.stringify(what));
print({ url: served.url, token: served.token });

for await (const line of createInterface({ input: process.stdin })) {
  if (line === "fill") kind === "limit" ? limitFiles("65536:unlimited") : fill();
  else if (line === "free") free();
  else await fillLog(line === "trouble");
  print({ done: line });
}

/** Of this process; what it may do itself, it may also ask of another. */
function limitFiles(bytes: string): void {
  execFileSync("prlimit", ["--pid", String(process.pid), `--fsize=${bytes}`]);
}

function free(): void {
  if (kind === "limit") limitFiles("unlimited");
  else rmSync(ballast, { force: true });
}

async function fillLog(asksAtOnce: boolean): Promise<void> {
  const text = "select pg_logical_emit_message(true, 'ballast', repeat('x', 1000000))";
  try {
    for (let count = 0; count < 100; count += 1) await served.coordinator.database.run({ name: "", text });
  } catch (error) {
    print({ refused: error instanceof Error ? error.message : String(error) });
    if (!asksAtOnce) return;
    free();
    print({ trouble: (await served.coordinator.database.trouble())?.message });
  }
}

function fill(): void {
  const file = openSync(ballast, "a");
  try {
    for (const piece of [Buffer.alloc(64 * 1024), Buffer.alloc(512)]) {
      // Ends with an error when there is no room.
      try {
        for (;;) writeSync(file, piece);
      } catch {}
    }
  } finally {
    closeSync(file);
  }
}
