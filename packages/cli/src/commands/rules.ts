import { rmSync } from "node:fs";
import { join } from "node:path";
import { typedCommand } from "@tenterhook/internal";
import { updateBridge } from "../clients/update-bridge.ts";
import { defineCommand, EXIT, type ExitCode, option, type Values } from "../command.ts";
import { formatPath, fullPath } from "../format-hook.ts";
import { installedHooks } from "../manage/edit-hook.ts";
import { chooseSubcommand, type Subcommands } from "../read-arguments.ts";
import { type FetchedRule, fetchAgain, fetchFolder, fetchRules } from "../rules/fetch-rules.ts";
import { lockFile, readLock } from "../rules/hooks-lock.ts";
import { listRules } from "../rules/list-rules.ts";
import {
  installedRules,
  planRules,
  type RulesRoot,
  removeRules,
  rulesRoot,
  writeRules,
} from "../rules/rules-root.ts";
import { keepForComparison, showPlans } from "../rules/show-rules.ts";
import { count, green, oneLine, print, printJson, yellow } from "../terminal.ts";
import { askOnce } from "../trust/questions.ts";
import { requirePerson } from "../trust/require-person.ts";
import { UsageError } from "../usage-error.ts";

const options = {
  user: option.flag("your own hooks, for all your projects (this is the default for add, remove and update)"),
  project: option.flag("the hooks of this project"),
  observe: option.flag("add: write the rules with `enforce: false`; what they would have done is recorded"),
  frozen: option.flag("only check that all rules are as hooks.lock says; for CI, without a terminal"),
} as const;

type RuleValues = Values<typeof options>;

export const rules = defineCommand({
  usage:
    "rules [list [GROUP] | add GROUP|NAME|FOLDER|ADDRESS… | remove GROUP|NAME… | update [NAME…]] [--project] [--observe] | rules --frozen",
  about:
    "Lists ready-made rules with what they did here in the last week; adds, removes and updates them. A rule is a HOOK.md folder like any\n" +
    "other, of this version, of a folder, or of a git repository (https or ssh). What is added is shown first, and written after a yes.\n" +
    "hooks.lock, beside the hooks, says where each rule came from. One that you edited is never overwritten. add, remove and update\n" +
    "work only on a terminal, not inside an agent.",
  options,
  arguments: { min: 0, max: Number.POSITIVE_INFINITY },
  examples: [
    { command: "tenterhook rules", means: "which rules are there, and what did they do?" },
    { command: "tenterhook rules add team --observe", means: "record what this group would refuse, for now" },
    { command: "tenterhook rules add team", means: "and enforce it" },
    {
      command: "tenterhook rules add https://example.com/our-rules.git --project",
      means: "rules of others, for this project",
    },
    { command: "tenterhook rules update", means: "the rules of this version, and of their repositories" },
    { command: "tenterhook rules --frozen", means: "in CI: an error where anything differs from hooks.lock" },
  ],
  run(values, args) {
    if (values.user && values.project)
      throw new UsageError("--user and --project exclude each other.", "Write one of them.");
    if (values.frozen) return checkFrozen(values, args);
    const { run, args: rest } = chooseSubcommand("rules", SUBCOMMANDS, args);
    return run(values, rest);
  },
});

type Run = (values: RuleValues, args: readonly string[]) => Promise<ExitCode>;

const SUBCOMMANDS: Subcommands<Run> = {
  list: { needs: [], more: "GROUP", run: list },
  add: { needs: ["GROUP|NAME|FOLDER|ADDRESS"], more: "…", run: add },
  remove: { needs: ["GROUP|NAME"], more: "…", run: remove },
  update: { needs: [], more: "NAME…", run: update },
};

async function list(values: RuleValues, [wanted]: readonly string[]): Promise<ExitCode> {
  if (await listRules(await chosenRoots(values), wanted, values.json)) return EXIT.ok;
  throw new UsageError(`there is no group and no rule "${wanted}".`, `Run: ${typedCommand()} rules`);
}

async function add(values: RuleValues, given: readonly string[]): Promise<ExitCode> {
  const root = await changedRoot(values);
  return fetched(root, async (into) => {
    const options = { project: root.project, observe: values.observe };
    const rules = given.flatMap((each, index) => fetchRules(each, join(into, `${index}`), options));
    return apply(root, rules, values, "Add");
  });
}

async function update(values: RuleValues, names: readonly string[]): Promise<ExitCode> {
  const root = await changedRoot(values);
  const lock = [...readLock(root.path)];
  const wanted =
    names.length === 0
      ? lock
      : lock.filter(([name, { group = "" }]) => [name, group].some((each) => names.includes(each)));
  const unknown = names.find((name) => !wanted.some(([each, { group }]) => each === name || group === name));
  if (unknown !== undefined) throw notInstalled(unknown, root);
  return fetched(root, (into) => {
    const rules = fetchAgain(wanted, into, root.project);
    for (const [name, { source }] of wanted)
      if (!rules.some((rule) => rule.name === name))
        print(yellow(`${name} is no longer in ${oneLine(source)}; yours is kept.`));
    return apply(root, rules, values, "Update");
  });
}

/** Shows what would be written, asks, and writes it. */
async function apply(
  root: RulesRoot,
  rules: readonly FetchedRule[],
  { json }: RuleValues,
  verb: "Add" | "Update",
): Promise<ExitCode> {
  const plans = planRules(root, rules);
  const changed = plans.filter(({ change }) => change === "new" || change === "update");
  const kept = plans.filter(({ change }) => change === "edited" || change === "taken");
  keepForComparison(root, kept);
  const output = json ? process.stderr : process.stdout;
  showPlans(root, plans, output);
  const question = `${verb} ${changed.length === 1 ? "this rule" : `these ${changed.length} rules`}?`;
  if (changed.length > 0 && !(await askOnce(output, question))) {
    if (json) printJson({ written: [], kept: kept.map(({ rule }) => rule.name) });
    else print("Nothing was changed.");
    return EXIT.wrong;
  }
  if (changed.length > 0) await updateBridge();
  const left = await writeRules(root, plans);
  const written = changed.map(({ rule }) => rule.name).filter((name) => !left.includes(name));
  for (const name of left) print(yellow(`${name} was changed meanwhile, so it is kept. Run this again.`));
  if (json)
    printJson({ written, kept: [...kept.map(({ rule }) => rule.name), ...left], lock: lockFile(root.path) });
  else if (written.length > 0)
    print(green(`Written: ${count(written.length, "rule")} in ${fullPath(root.path)}`));
  return kept.length + left.length > 0 ? EXIT.wrong : EXIT.ok;
}

async function remove(values: RuleValues, given: readonly string[]): Promise<ExitCode> {
  const root = await changedRoot(values);
  const installed = installedRules(root);
  const wanted = installed.filter(
    ({ name, lock }) => given.includes(name) || given.includes(lock.group ?? ""),
  );
  const unknown = given.find(
    (each) => !wanted.some(({ name, lock }) => name === each || lock.group === each),
  );
  if (unknown !== undefined) throw notInstalled(unknown, root);
  const output = values.json ? process.stderr : process.stdout;
  for (const { folder, state } of wanted)
    output.write(`  ${oneLine(fullPath(folder))}${state === "as installed" ? "" : ` (${state})`}\n`);
  const isYes = await askOnce(output, `Remove ${count(wanted.length, "rule")}?`);
  const names = isYes ? wanted.map(({ name }) => name) : [];
  if (isYes) await removeRules(root, names);
  if (values.json) printJson({ removed: names });
  else print(isYes ? green(`Removed: ${count(names.length, "rule")}`) : "Nothing was removed.");
  return isYes ? EXIT.ok : EXIT.wrong;
}

/** Compares rules with hooks.lock; what differs is an error. */
async function checkFrozen(values: RuleValues, args: readonly string[]): Promise<ExitCode> {
  if (args.length > 0) throw new UsageError("--frozen only checks, and takes no arguments.", "Omit them.");
  const roots = (await chosenRoots(values)).filter((root) => readLock(root.path).size > 0);
  if (roots.length === 0)
    throw new UsageError(
      "there is no hooks.lock with rules here.",
      `Add some: ${typedCommand()} rules add safety --project`,
    );
  const checked = roots.flatMap((root) => installedRules(root));
  const wrong = checked.filter(({ state }) => state !== "as installed");
  if (values.json)
    printJson({ checked: checked.length, differ: wrong.map(({ name, state }) => ({ name, state })) });
  else
    for (const { name, state, folder } of wrong)
      print(
        yellow(
          `${name} ${state === "gone" ? "is gone" : "differs from hooks.lock"}: ${oneLine(formatPath(folder))}`,
        ),
      );
  if (!values.json && wrong.length === 0) print(green(`${count(checked.length, "rule")} as in hooks.lock.`));
  return wrong.length === 0 ? EXIT.ok : EXIT.wrong;
}

/** The root that a person changes. */
async function changedRoot({ project }: RuleValues): Promise<RulesRoot> {
  await requirePerson("which rules apply");
  return rulesRoot(await installedHooks(), project ? "project" : "user");
}

/** The roots that are looked at: both, unless one is named. */
async function chosenRoots({ user, project }: RuleValues): Promise<readonly RulesRoot[]> {
  const source = await installedHooks();
  const roots = (["user", "project"] as const).map((scope) => rulesRoot(source, scope));
  const isHome = roots[0]?.path === roots[1]?.path;
  return roots.filter(({ scope }) => (scope === "user" ? !project : !user && !isHome));
}

/** Gives some work a folder for what is fetched, which is removed afterwards. */
async function fetched<T>({ source }: RulesRoot, work: (into: string) => Promise<T>): Promise<T> {
  const into = fetchFolder(source.locations.state);
  try {
    return await work(into);
  } finally {
    rmSync(into, { recursive: true, force: true });
  }
}

function notInstalled(given: string, { scope, path }: RulesRoot): UsageError {
  return new UsageError(
    `no rule "${given}" was installed in ${fullPath(path)}.`,
    `Run ${typedCommand()} rules to see those that were${scope === "user" ? ", and add --project for one of the project" : ""}. A hook of your own: ${typedCommand()} remove NAME`,
  );
}
