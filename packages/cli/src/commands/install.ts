import { type Client, loadClients } from "@tenterhook/bridges";
import {
  type FilePlan,
  type FoundClient,
  findClients,
  type InstallOptions,
  install as installClients,
  isChange,
  makeForHomeOwner,
  plannedInstall,
} from "@tenterhook/bridges/install";
import { findLocations } from "@tenterhook/file-hooks";
import { typedCommand } from "@tenterhook/internal";
import {
  type EnforcedHook,
  formatEnforcement,
  formatGaps,
  formatNotices,
  readEnforcement,
} from "../clients/enforcement.ts";
import { formatPlans, formatWritten } from "../clients/format-plan.ts";
import { namedClients } from "../clients/named-clients.ts";
import { guardPlan, writeGuard } from "../clients/self-guard.ts";
import { bundleFolder, fileLocation, version } from "../clients/surroundings.ts";
import { defineCommand, EXIT, type ExitCode, option } from "../command.ts";
import { fullPath } from "../format-hook.ts";
import { bold, dim, green, print, printJson, yellow } from "../terminal.ts";
import { Questions } from "../trust/questions.ts";
import { refuseAgents } from "../trust/require-person.ts";
import { UsageError } from "../usage-error.ts";
import { makeWritableFolder, STATE_FOLDER } from "../writable-folder.ts";

export const install = defineCommand({
  usage: "install [CLIENT…] [--project | --user] [--guard] [--dry-run]",
  about:
    "Enforces your hooks inside the coding agents on this machine: finds them, shows what it changes in their configuration, and\n" +
    "merges its entries in. Nothing else is touched, and uninstall takes them out again. Hooks that you add later need no reinstall.\n" +
    "On a terminal it asks before it writes. Without one, and with --yes or --json, it does not ask: it writes, and prints what it\n" +
    "wrote and how to undo it. It does not run inside an agent.",
  options: {
    user: option.flag("for you, in every project (this is the default)"),
    project: option.flag(
      "for this project only: in the agent's local file, or in a shared one where it has no local one",
    ),
    guard: option.flag("also write a hook that keeps agents from changing hooks, trust and these entries"),
    "dry-run": option.flag("only show what would change"),
    yes: option.flag("do not ask on a terminal; without one it never asks"),
  },
  arguments: { min: 0, max: Number.POSITIVE_INFINITY },
  examples: [
    { command: "tenterhook install", means: "in every coding agent that is found" },
    { command: "tenterhook install claude --project", means: "in Claude Code, in this project only" },
    { command: "tenterhook install --dry-run", means: "what would it change?" },
  ],
  async run({ user, project, guard, "dry-run": isDry, yes, json }, names) {
    if (user && project)
      throw new UsageError("--user and --project exclude each other.", "Write one of them.");
    await refuseAgents("which hooks are enforced in coding agents");
    const at = fileLocation();
    const found = await chosenClients(names);
    const options: InstallOptions = {
      clients: found.map(({ client }) => client),
      scope: project ? "project" : "user",
      cwd: process.cwd(),
      project: at.project,
      env: process.env,
      bundle: bundleFolder(),
      version: version(),
    };
    const plans = await plannedInstall(options);
    const enforced = await readAllEnforcement(options.clients);
    const isAsking = process.stdin.isTTY && process.stdout.isTTY && !json && !yes && !isDry;
    if (!json) show(found, plans, enforced, options);
    const questions = isAsking ? new Questions(process.stdout) : undefined;
    try {
      const selfGuard = await guardPlan(at);
      const isGuarding = guard || (selfGuard.isNew && (await questions?.ask(selfGuard.question)) === true);
      const isChanging = plans.some(isChange) || (isGuarding && selfGuard.isNew);
      if (isDry) return printed(plans, enforced, { json, isDone: false });
      // Without it the bridge forgets between two calls what it must know.
      makeForHomeOwner(at.home, findLocations(process.cwd()).state, (state) =>
        makeWritableFolder(state, STATE_FOLDER),
      );
      if (questions !== undefined && isChanging && !(await questions.ask("Write this?"))) {
        print("Nothing was changed.");
        return EXIT.wrong;
      }
      const written = isGuarding ? writeGuard(selfGuard) : undefined;
      if (written !== undefined && !json) print(written);
      const done = await installClients(options);
      if (!isAsking && !json) for (const line of formatWritten(done, options.scope)) print(line);
      // The guard may be new.
      return printed(done, await readAllEnforcement(options.clients), { json, isDone: true });
    } finally {
      questions?.close();
    }
  },
});

async function readAllEnforcement(
  clients: readonly Client[],
): Promise<ReadonlyMap<string, readonly EnforcedHook[]>> {
  const enforced = new Map<string, readonly EnforcedHook[]>();
  for (const client of clients) enforced.set(client.id, await readEnforcement(client));
  return enforced;
}

/** The clients that were named, else those that are found. */
async function chosenClients(names: readonly string[]): Promise<readonly FoundClient[]> {
  const at = fileLocation();
  if (names.length > 0) return findClients(await namedClients(names), at);
  const found = await findClients(await loadClients(), at);
  const there = found.filter(({ program, isConfigured }) => program !== undefined || isConfigured);
  if (there.length > 0) return there;
  throw new UsageError(
    "no coding agent was found on this machine.",
    `Name one to install for it anyway: ${found.map(({ client }) => client.id).join(", ")}`,
  );
}

function show(
  found: readonly FoundClient[],
  plans: readonly FilePlan[],
  enforced: ReadonlyMap<string, readonly EnforcedHook[]>,
  { scope, project }: InstallOptions,
): void {
  for (const each of found) {
    const { client } = each;
    const mine = plans.filter((plan) => plan.client.id === client.id);
    print(`${bold(client.name)} ${dim(about(each))}`);
    if (mine.length === 0)
      print(yellow(`  It has no configuration for a ${scope}; run it without --project.`));
    for (const line of formatPlans(mine)) print(line);
    const { consent } = client.configuration;
    if (scope === "project" && consent?.type === "trusted_folder") print(yellow(`  ${consent.how}`));
    for (const { path } of mine.filter(
      (plan) => scope === "project" && plan.kind !== "trust" && !plan.isCommitted,
    ))
      print(dim(`  git does not ignore ${fullPath(path)} by itself: add it to .gitignore`));
    const its = enforced.get(client.id) ?? [];
    for (const line of [...formatEnforcement(its), ...formatNotices(client, its)]) print(`  ${line}`);
  }
  if (scope === "project") print(dim(`The project is ${fullPath(project)}.`));
}

function about({ program, version: its, isConfigured, client }: FoundClient): string {
  if (program === undefined)
    return isConfigured ? "(its program is not on the PATH)" : "(not found on this machine)";
  return its === undefined || its === client.known.version
    ? (its ?? "")
    : `${its} (known: ${client.known.version})`;
}

interface Printed {
  readonly json: boolean;
  /** Whether the changes were made. */
  readonly isDone: boolean;
}

function printed(
  plans: readonly FilePlan[],
  enforced: ReadonlyMap<string, readonly EnforcedHook[]>,
  { json, isDone }: Printed,
): ExitCode {
  const left = plans.filter(({ problem }) => problem !== undefined);
  if (json) printJson({ is_done: isDone, files: plans.map(asJson), hooks: Object.fromEntries(enforced) });
  else if (!isDone) print(dim("Nothing was written."));
  else {
    printEnforced(plans, enforced);
    const hasHooks = [...enforced.values()].some((hooks) => hooks.length > 0);
    if (!hasHooks)
      print(
        `You have no hooks yet. Write one: ${typedCommand()} init no-force-push --trigger before_tool --tool Shell --pattern 'git push --force'`,
      );
    print(
      dim(
        `Is it in place? ${typedCommand()} doctor. What was decided? ${typedCommand()} log. And back: ${typedCommand()} uninstall`,
      ),
    );
  }
  return left.length === 0 && plans.length > 0 ? EXIT.ok : EXIT.wrong;
}

/** Says where hooks are enforced now, and names every hook that is not enforced fully. */
function printEnforced(
  plans: readonly FilePlan[],
  enforced: ReadonlyMap<string, readonly EnforcedHook[]>,
): void {
  const incomplete = new Set(
    plans.filter(({ problem }) => problem !== undefined).map(({ client }) => client.id),
  );
  const clients = [...new Map(plans.map(({ client }) => [client.id, client])).values()].filter(
    ({ id }) => !incomplete.has(id),
  );
  const gaps = (id: string) => (enforced.get(id) ?? []).filter(({ how }) => how !== "fully");
  const waiting = new Set(plans.filter(needsTrustedFolder).map(({ client }) => client));
  const full = clients
    .filter((client) => gaps(client.id).length === 0 && !waiting.has(client))
    .map(({ name }) => name);
  const partial = clients.filter(({ id }) => gaps(id).length > 0);
  const hasHooks = [...enforced.values()].some((hooks) => hooks.length > 0);
  if (full.length > 0)
    print(
      green(`${hasHooks ? "All your hooks are enforced" : "Hooks will be enforced"} in ${listed(full)}.`),
    );
  for (const { name } of waiting)
    print(yellow(`No hook is enforced in ${name} before it trusts this folder.`));
  if (partial.length > 0)
    print(yellow(`Not all of your hooks are enforced fully in ${listed(partial.map(({ name }) => name))}:`));
  for (const { id, name } of partial) for (const line of formatGaps(name, gaps(id))) print(line);
  if (clients.length > 0) print("Sessions that run already may need to be restarted.");
}

/** Whether the client ignores these entries until it trusts the project's folder. */
function needsTrustedFolder({ client, scope }: FilePlan): boolean {
  return scope === "project" && client.configuration.consent?.type === "trusted_folder";
}

function asJson(plan: FilePlan) {
  const { client, scope, path, kind, problem, added, changed, removed } = plan;
  return {
    client: client.id,
    scope,
    path,
    kind,
    ...(problem === undefined ? { is_changed: isChange(plan), added, changed, removed } : { problem }),
  };
}

function listed(names: readonly string[]): string {
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}
