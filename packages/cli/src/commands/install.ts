import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
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
import { FileHooks, findLocations } from "@tenterhook/file-hooks";
import { typedCommand } from "@tenterhook/internal";
import {
  type EnforcedHook,
  formatEnforcement,
  formatGaps,
  formatNotices,
  readEnforcement,
} from "../clients/enforcement.ts";
import { formatFiles, formatPlans, formatWritten } from "../clients/format-plan.ts";
import { namedClients } from "../clients/named-clients.ts";
import { bundleFolder, fileLocation, version } from "../clients/surroundings.ts";
import { updateBridge } from "../clients/update-bridge.ts";
import { defineCommand, EXIT, type ExitCode, option } from "../command.ts";
import { askEach, type ClientAnswer, formatFound, formatHeld } from "../doctor/client-answers.ts";
import { fullPath } from "../format-hook.ts";
import { fetchFolder } from "../rules/fetch-rules.ts";
import { formatOffer, offerRules } from "../rules/offered-rules.ts";
import { rulesRoot, writeRules } from "../rules/rules-root.ts";
import { bold, count, dim, green, print, printJson, terminalWidth, yellow } from "../terminal.ts";
import { askOnce } from "../trust/questions.ts";
import { refuseAgents } from "../trust/require-person.ts";
import { UsageError } from "../usage-error.ts";
import { makeWritableFolder, STATE_FOLDER } from "../writable-folder.ts";

export const install = defineCommand({
  usage: "install [CLIENT… | --all] [--rules GROUP,… [--observe]] [--project | --user] [--dry-run] [--yes]",
  about:
    "Enforces hooks inside the coding agents on this machine: finds them, shows what it changes in their configuration, and merges its\n" +
    "entries in. Nothing else is touched, and uninstall takes them out again. Hooks that you add later need no reinstall. Alone on a\n" +
    "terminal, it offers ready-made rules too, and has a call refused in each agent afterwards. Hooks that you have are kept.\n" +
    "On a terminal it asks before it writes. Without one, and with --yes or --json, it does not ask: it writes, and prints what it\n" +
    "wrote and how to undo it. It does not run inside an agent.",
  options: {
    user: option.flag("for you, in every project (this is the default)"),
    project: option.flag(
      "for this project only: in the agent's local file, or in a shared one where it has no local one",
    ),
    all: option.flag("in every coding agent that is found, and have a call refused in each"),
    rules: option.list(
      "GROUP,…",
      "also write ready-made rules: safety, secrets, self, team, cloud, or names of rules; none: without any",
    ),
    observe: option.flag(
      "with `enforce: false`: what the rules would have done is recorded, and changes nothing",
    ),
    "dry-run": option.flag("only show what would change"),
    yes: option.flag("do not ask on a terminal; without one it never asks"),
  },
  otherOptions: { guard: "It is a group of rules now: --rules self" },
  arguments: { min: 0, max: Number.POSITIVE_INFINITY },
  examples: [
    {
      command: "tenterhook install",
      means: "in every coding agent that is found, with ready-made rules; it asks first",
    },
    { command: "tenterhook install --all --rules safety,secrets,self --yes", means: "the same in a script" },
    { command: "tenterhook install claude --project", means: "in Claude Code, in this project only" },
    { command: "tenterhook install --dry-run", means: "what would it change?" },
  ],
  async run(values, names) {
    const { user, project, all, rules, observe, "dry-run": isDry, yes, json } = values;
    if (user && project)
      throw new UsageError("--user and --project exclude each other.", "Write one of them.");
    if (all && names.length > 0)
      throw new UsageError("--all means every coding agent that is found.", "Omit it, or the names.");
    if (project && rules.length > 0)
      throw new UsageError(
        "--rules writes rules for you, in every project.",
        `For this project only: ${typedCommand()} rules add ${rules.join(" ")} --project`,
      );
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
    const isAsking = process.stdin.isTTY && process.stdout.isTTY && !json && !yes && !isDry;
    const isWhole = all || (names.length === 0 && isAsking);
    const isOffering = rules.length > 0 || (isWhole && isAsking && !project);
    if (observe && !isOffering)
      throw new UsageError("--observe is for rules.", "Add --rules safety,secrets,self");
    const plans = await plannedInstall(options);
    // Without it the bridge forgets between two calls what it must know.
    const { state } = findLocations(process.cwd());
    if (!isDry) makeForHomeOwner(at.home, state, (path) => makeWritableFolder(path, STATE_FOLDER));
    const into = !isOffering
      ? undefined
      : isDry
        ? mkdtempSync(join(tmpdir(), "tenterhook-"))
        : fetchFolder(state);
    try {
      const root = rulesRoot(new FileHooks(), "user");
      const wanted = rules.length > 0 ? rules.filter((name) => name !== "none") : undefined;
      const offer = into === undefined ? undefined : offerRules(root, into, { wanted, observe });
      const written = offer?.plans ?? [];
      const enforced = await readAllEnforcement(options.clients);
      if (!json && isWhole && !project) for (const line of formatFound(found)) print(line);
      if (!json && offer !== undefined)
        for (const line of ["", ...formatOffer(offer, terminalWidth()), ""]) print(line);
      if (!json && isWhole && isAsking && !project) {
        for (const line of [bold("Entries of Tenterhook in their files"), ...formatFiles(plans)]) print(line);
        print(dim(`  Each of them: ${typedCommand()} install --dry-run\n`));
      } else if (!json) show(found, plans, enforced, options);
      const ruleNames = written.map(({ rule }) => rule.name);
      if (isDry) return printed(plans, enforced, { json, isDone: false, rules: ruleNames });
      const isChanging = plans.some(isChange) || written.length > 0;
      if (isAsking && isChanging && !(await askOnce(process.stdout, "Write this?"))) {
        print("Nothing was changed.");
        if (written.length > 0)
          print(
            dim(`Other rules: ${typedCommand()} install --rules safety, or none. To watch first: --observe`),
          );
        return EXIT.wrong;
      }
      if (written.length > 0) {
        // A bridge of before would not understand them.
        await updateBridge();
        await writeRules(root, written);
        if (!json) print(green(`Written: ${count(written.length, "rule")} in ${fullPath(root.path)}`));
      }
      const done = await installClients(options);
      if (!isAsking && !json) for (const line of formatWritten(done, options.scope)) print(line);
      const held = isWhole ? await askEach(options) : undefined;
      // The rules may be new.
      const now = await readAllEnforcement(options.clients);
      return printed(done, now, {
        json,
        isDone: true,
        rules: ruleNames,
        ...(held !== undefined && { held }),
      });
    } finally {
      if (into !== undefined) rmSync(into, { recursive: true, force: true });
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
  /** The ready-made rules that were written. */
  readonly rules: readonly string[];
  /** What each client answered to a call that a script refuses. */
  readonly held?: readonly ClientAnswer[];
}

function printed(
  plans: readonly FilePlan[],
  enforced: ReadonlyMap<string, readonly EnforcedHook[]>,
  { json, isDone, rules, held = [] }: Printed,
): ExitCode {
  const left = plans.filter(({ problem }) => problem !== undefined);
  const isHeld = held.every(({ findings }) => findings.length === 0);
  if (json)
    printJson({
      is_done: isDone,
      files: plans.map(asJson),
      rules,
      hooks: Object.fromEntries(enforced),
      ...(held.length > 0 && {
        refused: held.map(({ client: { id }, findings }) => ({ client: id, findings })),
      }),
    });
  else if (!isDone) print(dim("Nothing was written."));
  else {
    for (const line of formatHeld(held)) print(line);
    printEnforced(plans, enforced);
    const hasHooks = [...enforced.values()].some((hooks) => hooks.length > 0);
    if (!hasHooks)
      print(
        `You have no hooks yet. Ready-made ones: ${typedCommand()} rules add safety. One of your own: ${typedCommand()} init --help`,
      );
    else if (held.length > 0)
      print("Your rules also hold in agents of frameworks and on runners, wherever file hooks are attached.");
    print(
      dim(
        `Is it in place? ${typedCommand()} doctor. What was decided? ${typedCommand()} log. And back: ${typedCommand()} uninstall`,
      ),
    );
  }
  return left.length === 0 && plans.length > 0 && isHeld ? EXIT.ok : EXIT.wrong;
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
