import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { loadClients } from "@tenterhook/bridges";
import {
  findClients,
  findProgram,
  installationFor,
  installedEnvironment,
  installedFiles,
  plannedInstall,
  readRecord,
} from "@tenterhook/bridges/install";
import { FileHooks } from "@tenterhook/file-hooks";
import { messageOf, typedCommand } from "@tenterhook/internal";
import { namedClients } from "../clients/named-clients.ts";
import { bundleFolder, fileLocation, version } from "../clients/surroundings.ts";
import { defineCommand, EXIT } from "../command.ts";
import { checkEntries } from "../doctor/client-entries.ts";
import { type DoctorStep, type StepResult, timedStep } from "../doctor/finding.ts";
import { checkWriters } from "../doctor/foreign-writers.ts";
import { checkHookFiles, listUnmappedTools } from "../doctor/hook-files.ts";
import { checkInstallation } from "../doctor/installation.ts";
import { isSlow, notesOf, probe, probedFiles } from "../doctor/probe.ts";
import { fileReason } from "../file-error.ts";
import { formatPath } from "../format-hook.ts";
import { goneSentence } from "../hook-state.ts";
import { bold, count, dim, duration, green, oneLine, print, printJson, red } from "../terminal.ts";
import { UsageError } from "../usage-error.ts";
import { makeWritableFolder, STATE_FOLDER } from "../writable-folder.ts";

export const doctor = defineCommand({
  usage: "doctor [CLIENT…]",
  about:
    "Answers why a hook did not fire: are the entries in the coding agents' files in place, trusted and current, is a call refused that\n" +
    "a script refuses, through the command that each agent starts and in its own format, can the bridge store its state, and which hooks are broken,\n" +
    "shadowed, not trusted, can never fire, or can be changed by other users? The script is doctor's own: your hooks are not run. Every finding says how to fix it. Exit 1 when there is one.",
  options: {},
  arguments: { min: 0, max: Number.POSITIVE_INFINITY },
  examples: [
    { command: "tenterhook doctor", means: "everything that is installed here" },
    { command: "tenterhook doctor claude", means: "only Claude Code" },
  ],
  async run({ json }, names) {
    const cwd = process.cwd();
    const location = fileLocation();
    const env = installedEnvironment(await loadClients(), cwd, process.env, location);
    const installation = installationFor(cwd, env);
    const record = readRecord(installation.record);
    const wanted = names.length === 0 ? await loadClients() : await namedClients(names);
    const installed = wanted
      .map((client) => ({
        client,
        files: (["user", "project"] as const).flatMap((scope) =>
          installedFiles(client, scope, location, record),
        ),
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
    const scopes = installed.flatMap(({ client, files }) =>
      [...new Set(files.map(({ scope }) => scope))].map((scope) => ({
        client,
        scope,
        files: files.filter((file) => file.scope === scope),
      })),
    );
    // A probe is stored in the state folder.
    const probed = state.findings.length === 0 ? probedFiles : () => [];
    // All at once, so that several clients that hang take no longer than one.
    const probes = scopes.map(({ client, files }) =>
      probed(client, files).map((file) => {
        const send = () => probe(client, file, installation);
        return { first: send(), send };
      }),
    );
    const all = Promise.all(probes.flat().map(({ first }) => first));
    for (const [at, { client, scope, files }] of scopes.entries()) {
      await add(`${client.name}, ${scope}: entries`, async () => {
        const options = {
          clients: [client],
          scope,
          cwd,
          project: location.project,
          env,
          bundle: bundleFolder(),
          version: version(),
        };
        return checkEntries(client, files, await plannedInstall(options), location);
      });
      for (const { first, send } of probes[at] ?? [])
        await add(`${client.name}, ${scope}: a call that a script refuses`, async () => {
          const result = await first;
          // The others may have slowed it down.
          if (isSlow(result)) await all;
          const alone = isSlow(result) ? await send() : result;
          return { findings: alone.findings, notes: notesOf(alone), ms: alone.ms };
        });
    }
    const clients = installed.map(({ client }) => client);
    await add("coding agents with entries", () => ({
      findings: clients
        .filter(({ program }) => findProgram(program.command, location) === undefined)
        .map(({ id, name, program }) => ({
          problem: `${name} is not on this machine: there is no program ${program.command} in the PATH`,
          fix: `Install it, or add its folder to the PATH, or remove its entries: ${typedCommand()} uninstall ${id}`,
        })),
    }));
    await add("hooks", () => checkHookFiles(clients, env, installation.locations.state));
    await add("who else can change hooks", () => checkWriters(installation));
    await add("guards that are gone", () => checkGoneGuards(env));
    await add("tools without a canonical name", () =>
      listUnmappedTools(clients, installation.locations.state),
    );
    await add("other coding agents", async () => {
      const others = wanted.filter((client) => !clients.includes(client));
      if (names.length > 0)
        return {
          findings: others.map(({ id, name }) => ({
            problem: `no hooks are enforced in ${name}: it has no entries of Tenterhook`,
            fix: `Run: ${typedCommand()} install ${id}`,
          })),
        };
      const found = (await findClients(others, location)).filter(({ program }) => program !== undefined);
      return {
        findings: [],
        notes: found.map(
          ({ client }) =>
            `${client.name} is on this machine, and hooks are not enforced in it: ${typedCommand()} install ${client.id}`,
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

function printStep({ title, ms, findings, notes }: DoctorStep): void {
  const mark = findings.length === 0 ? green("ok") : red("!!");
  print(`${mark} ${bold(title)} ${dim(duration(ms))}`);
  for (const { problem, fix } of findings) {
    print(`   ${oneLine(problem)}`);
    print(`   ${dim("→")} ${oneLine(fix)}`);
  }
  for (const note of notes) print(dim(`   ${oneLine(note)}`));
}

/** Reports guards of the user that are known and no longer exist. */
async function checkGoneGuards(env: Readonly<Record<string, string | undefined>>): Promise<StepResult> {
  const { hooks } = await new FileHooks({ env }).catalogue();
  return {
    findings: hooks.flatMap(({ hook, gone }) =>
      // What is broken is reported with the hook files.
      gone?.command === undefined
        ? []
        : [{ problem: goneSentence(hook, gone), fix: `Restore it, or run: ${gone.command}` }],
    ),
  };
}

/** Checks that the calls of a session can store what they share. */
function checkStateFolder(state: string): StepResult {
  const problem = whyNotWritable(join(state, "bridge", "sessions"));
  if (problem === undefined) return { findings: [] };
  const fix = `Make ${formatPath(state)} and all that is in it yours and writable, with space on its disk. Or set HOME or XDG_STATE_HOME to a writable folder, and run: ${typedCommand()} install`;
  return {
    findings: [
      {
        problem: `${problem} A session's project is forgotten between calls, refusals and stop gates do not last, and ${typedCommand()} log shows nothing`,
        fix,
      },
    ],
  };
}

function whyNotWritable(sessions: string): string | undefined {
  const probe = join(sessions, `doctor-${process.pid}`);
  try {
    makeWritableFolder(sessions, STATE_FOLDER);
    // Permissions say nothing about a full disk.
    writeFileSync(probe, "written by tenterhook doctor\n");
    rmSync(probe);
    return undefined;
  } catch (error) {
    if (error instanceof UsageError) return error.message;
    return `${STATE_FOLDER.what} ${formatPath(sessions)} cannot be written to: ${fileReason(error) ?? messageOf(error)}.`;
  }
}
