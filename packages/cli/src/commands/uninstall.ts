import { type Client, loadClients } from "@tenterhook/bridges";
import {
  installedEnvironment,
  plannedRemovals,
  type RemovalPlan,
  type UninstallOptions,
  uninstall as uninstallClients,
} from "@tenterhook/bridges/install";
import { formatRemoval } from "../clients/format-plan.ts";
import { namedClients } from "../clients/named-clients.ts";
import { fileLocation } from "../clients/surroundings.ts";
import { defineCommand, EXIT, option } from "../command.ts";
import { bold, dim, print, printJson } from "../terminal.ts";
import { askOnce } from "../trust/questions.ts";
import { refuseAgents } from "../trust/require-person.ts";
import { UsageError } from "../usage-error.ts";

export const uninstall = defineCommand({
  usage: "uninstall [CLIENT…] [--project | --user] [--dry-run] [--yes]",
  about:
    "Takes our entries out of the coding agents' configuration. A file that nothing else has changed is as it was before, byte by byte;\n" +
    "of any other only our entries go. Your hooks stay where they are. On a terminal it asks first. It does not run inside an agent.",
  options: {
    user: option.flag("only your own files"),
    project: option.flag("only this project's files"),
    "dry-run": option.flag("only show what would change"),
    yes: option.flag("do not ask on a terminal; without one it never asks"),
  },
  arguments: { min: 0, max: Number.POSITIVE_INFINITY },
  examples: [
    { command: "tenterhook uninstall", means: "everything, for you and for this project" },
    { command: "tenterhook uninstall gemini --dry-run", means: "what would it change?" },
  ],
  async run({ user, project, "dry-run": isDry, yes, json }, names) {
    if (user && project)
      throw new UsageError(
        "--user and --project exclude each other.",
        "Write one of them, or none for both.",
      );
    await refuseAgents("which hooks are enforced in coding agents");
    const clients = names.length === 0 ? await loadClients() : await namedClients(names);
    const at = fileLocation();
    const options: UninstallOptions = {
      clients,
      scopes: user ? ["user"] : project ? ["project"] : ["user", "project"],
      cwd: process.cwd(),
      project: at.project,
      env: installedEnvironment(await loadClients(), process.cwd(), process.env, at),
    };
    const planned = plannedRemovals(options);
    const isAsking = process.stdin.isTTY && process.stdout.isTTY && !json && !yes && !isDry;
    if (isAsking && planned.length > 0) {
      printPlans(planned, clients);
      if (!(await askOnce(process.stdout, "Take these out?"))) {
        print("Nothing was changed.");
        return EXIT.wrong;
      }
    }
    const plans = isDry ? planned : await uninstallClients(options);
    if (json) printJson({ is_done: !isDry, files: plans.map(asJson) });
    else {
      // What was shown before the question is not repeated.
      const isShown = isAsking && planned.length > 0;
      printPlans(isShown ? plans.filter(({ problem }) => problem !== undefined) : plans, clients);
      if (isShown) print("Done.");
      if (plans.length === 0) print("Tenterhook is not installed.");
      else if (isDry) print(dim("Nothing was written."));
    }
    return plans.every(({ problem }) => problem === undefined) ? EXIT.ok : EXIT.wrong;
  },
});

function printPlans(plans: readonly RemovalPlan[], clients: readonly Client[]): void {
  for (const client of clients) {
    const mine = plans.filter(({ file }) => file.client === client.id);
    if (mine.length > 0) print(bold(client.name));
    for (const plan of mine) print(formatRemoval(plan));
  }
}

function asJson({ file: { client, scope, path }, how, problem, warning }: RemovalPlan) {
  const result = problem === undefined ? { how, ...(warning !== undefined && { warning }) } : { problem };
  return { client, scope, path, ...result };
}
