// Stands in for the process that an earlier version kept: the same command line, files and end. It takes no call.
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";

// As it was started: `daemon --folder FOLDER`. The last argument is this test's: whether it does not end when it is asked to.
const [, , , , folder, how] = process.argv;
const secret = "0".repeat(32);

mkdirSync(folder, { recursive: true, mode: 0o700 });
writeFileSync(join(folder, "about"), `${process.pid} ${secret} ${secret}\n`, { mode: 0o600 });
const server = createServer((socket) => socket.destroy());
server.listen(join(folder, "socket"), () => {
  chmodSync(join(folder, "socket"), 0o600);
  process.stdout.write("listening\n");
});
process.on("SIGTERM", () => {
  if (how !== "hangs") server.close(() => process.exit(0));
});
