import { type Client, loadClients } from "@tenterhook/bridges";
import {
  findClients,
  type InstalledFile,
  installationFor,
  installedFiles,
  plannedInstall,
  readRecord,
} from "@tenterhook/bridges/install";
import { namedClients } from "../clients/named-clients.ts";
import { bundleFolder, fileLocation, version } from "../clients/surroundings.ts";
import { defineCommand, EXIT } from "../command.ts";
import { checkEntries } from "../doctor/client-entries.ts";
import { type DoctorStep, timedStep } from "../doctor/finding.ts";
import { checkHookFiles } from "../doctor/hook-files.ts";
import { checkInstallation } from "../doctor/installation.ts";
import { probe } from "../doctor/probe.ts";
import { checkStateFolder } from "../doctor/state-folder.ts";
import { bold, count, dim, duration, green, oneLine, print, printJson, red } from "../terminal.ts";

export const doctor = defineCommand({
  usage: "doctor [CLIENT…]",
  about:
    "Answers why a hook did not fire: are the entries in the coding agents' files in place, trusted and current, does a harmless event\n" +
    "reach the bridge through them and come back in time, can it store its state, and which hooks are broken, shadowed or not trusted? Every finding says how\n" +
    "to fix it. Exit 1 when there is one.",
  options: {},
  arguments: { min: 0, max: Number.POSITIVE_INFINITY },
  examples: [
    { command: "tenterhook doctor", means: "everything that is installed here" },
    { command: "tenterhook doctor claude", means: "only Claude Code" },
  ],
  async run({ json }, names) {
    const cwd = process.cwd();
    const installation = installationFor(cwd, process.env);
    const record = readRecord(installation.record);
    const at = fileLocation();
    const wanted = names.length === 0 ? await loadClients() : await namedClients(names);
    const installed = wanted
      .map((client) => ({
        client,
        files: (["user", "project"] as const).flatMap((scope) => installedFiles(client, scope, at, record)),
      }))
      .filter(({ files }) => files.length > 0);
    const steps: DoctorStep[] = [];
    const add = async (title: string, work: Parameters<typeof timedStep>[1]) => {
      const step = await timedStep(title, work);
      steps.push(step);
      if (!json) printStep(step);
      return step;
    };
    await add("what coding agents start", () => checkInstallation(installation, record, version()));
    const state = await add("the state folder", () => checkStateFolder(installation.locations.state));
    for (const { client, files } of installed) {
      for (const scope of [...new Set(files.map((file) => file.scope))]) {
        const mine = files.filter((file) => file.scope === scope);
        await add(`${client.name}, ${scope}: entries`, async () => {
          const options = {
            clients: [client],
            scope,
            cwd,
            project: at.project,
            env: process.env,
            bundle: bundleFolder(),
            version: version(),
          };
          return checkEntries(client, mine, await plannedInstall(options), at);
        });
        // An event that reaches the bridge is recognised by what it stores.
        for (const file of state.findings.length === 0 ? probed(client, mine) : [])
          await add(`${client.name}, ${scope}: a harmless event`, () => probe(client, file, installation));
      }
    }
    await add("hooks", () => checkHookFiles(installed.map(({ client }) => client)));
    await add("other coding agents", async () => {
      const others = wanted.filter((client) => !installed.some((each) => each.client === client));
      const found = (await findClients(others, at)).filter(({ program }) => program !== undefined);
      return {
        findings: [],
        notes: found.map(
          ({ client }) =>
            `${client.name} is on this machine, and hooks do not hold in it: tenterhook install ${client.id}`,
        ),
      };
    });
    const findings = steps.flatMap((step) => step.findings);
    if (json)
      printJson({
        steps: steps.map(({ ms, ...step }) => ({ ...step, duration_ms: Math.round(ms * 10) / 10 })),
      });
    else
      print(
        findings.length === 0 ? green("Nothing is wrong.") : red(`${count(findings.length, "finding")}.`),
      );
    return findings.length === 0 ? EXIT.ok : EXIT.wrong;
  },
});

/** One file is enough for a client with a file per event. */
function probed(client: Client, files: readonly InstalledFile[]): readonly InstalledFile[] {
  const own = files.filter(({ kind }) => kind !== "trust");
  return client.configuration.files[0]?.format === "script"
    ? own.filter(({ path }) => path.endsWith("PreToolUse"))
    : own;
}

function printStep({ title, ms, findings, notes }: DoctorStep): void {
  const mark = findings.length === 0 ? green("ok") : red("!!");
  print(`${mark} ${bold(title)} ${dim(duration(ms))}`);
  for (const { problem, mend } of findings) {
    print(`   ${oneLine(problem)}`);
    print(`   ${dim("→")} ${oneLine(mend)}`);
  }
  for (const note of notes) print(dim(`   ${oneLine(note)}`));
}
