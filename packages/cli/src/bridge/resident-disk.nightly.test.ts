import { spawn } from "node:child_process";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { BIN, ended } from "../testing/command-sandbox.ts";
import { ResidentClaude } from "../testing/resident-claude.ts";
import { GuardSandbox } from "../testing/resident-guard.ts";
import { isRefused, unshare } from "../testing/unshare.ts";

/** Calls the installed command with both guards' words, and with one that passes; prints how each ended. */
const SCRIPT = `
call_all() {
  for word in no never yes; do
    /bin/sh -c "$COMMAND" <"$ROOT/payload-$word" >/dev/null 2>&1
    echo "$1 $word $?"
  done
}
mount -t tmpfs -o size=1m,mode=700 none "$STATE" && mount -t tmpfs -o size=1m,mode=700 none "$ROOT/run" || exit
"$NODE" "$BIN" daemon >/dev/null 2>&1 &
daemon=$!
until [ -S "$FOLDER/socket" ]; do sleep 0.1; done
call_all resident
cat /dev/zero >"$STATE/zeros" 2>/dev/null
cat /dev/zero >"$ROOT/run/zeros" 2>/dev/null
call_all resident,full
mount -o remount,ro "$STATE"
call_all resident,read-only
kill "$daemon"
wait "$daemon"
call_all read-only
[ ! -e "$FOLDER/lock" ] || echo "a process was started"
mount -o remount,rw "$STATE"
call_all full
`;

test.runIf(process.platform === "linux")(
  "a full and a read-only disk change no answer, and no resident process is started on a read-only one",
  async () => {
    const words = unshare(["--mount"]);
    if (isRefused(words)) return;
    const sandbox = new GuardSandbox();
    const { claude, files } = await ResidentClaude.install(sandbox);
    const payloads = ["no", "never", "yes"];
    for (const word of payloads) sandbox.write(join(sandbox.root, `payload-${word}`), claude.payload(word));
    const [program = "", ...args] = [...words, "/bin/sh", "-c", SCRIPT];
    const env = sandbox.env({
      ...{ COMMAND: claude.command(), ROOT: sandbox.root, STATE: sandbox.state, FOLDER: files.folder },
      ...{ NODE: process.execPath, BIN },
    });
    const child = spawn(program, args, { cwd: sandbox.project, env });
    onTestFinished(() => void child.kill("SIGKILL"));
    const { stdout } = await ended(child);
    const kinds = ["resident", "resident,full", "resident,read-only", "read-only", "full"];
    const expected = kinds.flatMap((kind) =>
      payloads.map((word) => `${kind} ${word} ${word === "yes" ? 0 : 2}`),
    );
    expect(stdout.trim().split("\n")).toEqual(expected);
  },
);
