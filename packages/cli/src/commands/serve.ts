import { defineCommand, EXIT, option } from "../command.ts";
import { dataFolder } from "../fleet/access.ts";
import { COORDINATOR_OPTIONS, startCoordinator } from "../fleet/start-coordinator.ts";
import { formatPath } from "../format-hook.ts";
import { ShutdownRequest } from "../interrupt.ts";
import { bold, type Cell, notify, print, table } from "../terminal.ts";

export const serve = defineCommand({
  usage:
    "serve [--port N] [--host H] [--data D] [--allow-host NAME] [--trust-proxy NET] [--allow-variable NAME]\n" +
    "      [--allow-private NET] [--awaited-calls N] [--unawaited-calls N] [--target-calls N] [--prices FILE]",
  about:
    "Runs a coordinator until SIGINT or SIGTERM. It stores agents, runs, hooks and approvals in its data folder, or in the\n" +
    "PostgreSQL database of DATABASE_URL, which any number of coordinators may share. Runners connect with\n" +
    "tenterhook runners start. For access from other machines, put a TLS proxy in front of it.",
  options: {
    ...COORDINATOR_OPTIONS,
    host: option.text("H", "the address to listen on (default: 127.0.0.1)"),
  },
  examples: [
    { command: "tenterhook serve", means: "a coordinator for this machine" },
    {
      command: "DATABASE_URL=postgres://… tenterhook serve --host 0.0.0.0 --allow-host agents.example.org",
      means: "one of several, behind a proxy",
    },
  ],
  async run(values) {
    const shutdown = new ShutdownRequest();
    const served = await startCoordinator(values, {
      ...(values.host !== undefined && { host: values.host }),
    });
    const data = dataFolder(values.data);
    const database = process.env.DATABASE_URL ? "server" : "embedded";
    if (values.json) print(JSON.stringify({ url: served.url, data, database, pid: process.pid }));
    else {
      // A sign-in link belongs on a terminal, not in the log of a service.
      const login = process.stdout.isTTY ? await served.loginUrl() : undefined;
      const kept = database === "embedded" ? "embedded database" : "database on a server";
      const rows: Cell[][] = [
        [{ text: "coordinator", style: bold }, served.url],
        ...(login === undefined ? [] : [[{ text: "page", style: bold }, login]]),
        [{ text: "data", style: bold }, `${formatPath(data)} (${kept})`],
      ];
      print(table(rows));
    }
    await shutdown.requested;
    shutdown.exitWhenRepeated();
    notify("ending");
    await served.close();
    shutdown.release();
    return EXIT.ok;
  },
});
