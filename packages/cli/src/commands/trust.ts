import { join } from "node:path";
import { FileHooks } from "@tenterhook/file-hooks";
import { TrustChecker, type TrustStore } from "@tenterhook/file-hooks/trust";
import { typedCommand } from "@tenterhook/internal";
import { defineCommand, EXIT, type ExitCode, option } from "../command.ts";
import { formatPath } from "../format-hook.ts";
import { green, notify, print, printJson, table, yellow } from "../terminal.ts";
import { gone, named, revoke, untrusted } from "../trust/candidates.ts";
import { showHook, showToml, type TrustItem } from "../trust/grant.ts";
import { askOnce, Questions } from "../trust/questions.ts";
import { requirePerson } from "../trust/require-person.ts";
import { makeWritableFolder, STATE_FOLDER } from "../writable-folder.ts";

export const trust = defineCommand({
  usage: "trust [NAME|PATH…] [--all] | trust --list | trust --revoke NAME|PATH…",
  about:
    "Shows a project's hooks and, if you agree, allows them to run in their current version. A hook that is changed later does\n" +
    "not run until it is trusted again; until then, what it guards is refused. Works only on a terminal, not inside an agent.",
  options: {
    all: option.flag("ask once for all hooks"),
    list: option.flag("list all trusted hooks; works without a terminal"),
    revoke: option.flag("revoke trust"),
  },
  arguments: { min: 0, max: Number.POSITIVE_INFINITY },
  examples: [
    { command: "tenterhook trust", means: "review all untrusted hooks of this folder" },
    { command: "tenterhook trust no-force-push", means: "one hook" },
    { command: "tenterhook trust --revoke no-force-push", means: "revoke its trust" },
  ],
  async run({ all, list, revoke: isRevoking, json }, args) {
    const { trust: store, locations } = new FileHooks();
    if (list) return listTrusted(store, json);
    await requirePerson();
    makeWritableFolder(locations.state, STATE_FOLDER);
    if (!(await isUsable(store, json))) return EXIT.wrong;
    if (isRevoking) return printRevoked(revoke(args, all, locations.cwd, store), json);
    const { projectHooks } = locations;
    for (const { hook } of gone(locations, store)) {
      notify(
        `${hook.name} was trusted and no longer exists. Restore it, or run: ${typedCommand()} trust --revoke ${hook.name}`,
      );
    }
    const candidates = args.length === 0 ? untrusted(locations, store) : named(args, locations, store);
    const shown = candidates.map((candidate) => showHook(candidate, store));
    const toml = projectHooks === undefined ? undefined : showToml(join(projectHooks, "hooks.toml"), store);
    const isComplete = shown.every((each) => each !== undefined);
    return grant(
      [...shown, toml].filter((each) => each !== undefined),
      { all, json, isComplete },
    );
  },
});

async function grant(
  shown: readonly TrustItem[],
  { all, json, isComplete }: { readonly all: boolean; readonly json: boolean; readonly isComplete: boolean },
): Promise<ExitCode> {
  // With --json, standard output contains only the result.
  const output = json ? process.stderr : process.stdout;
  const questions = new Questions(output);
  const trusted: string[] = [];
  try {
    if (all && shown.length > 0) {
      for (const { text } of shown) output.write(`${text}\n\n`);
      const isYes = await questions.ask(
        `Trust ${shown.length === 1 ? "this" : `these ${shown.length}`} as shown?`,
      );
      if (isYes) for (const each of shown) if (each.trust()) trusted.push(each.name);
    } else {
      for (const { name, text, trust: accept } of shown) {
        output.write(`${text}\n`);
        if ((await questions.ask(`Trust ${name} as shown?`)) && accept()) trusted.push(name);
        output.write("\n");
      }
    }
  } finally {
    questions.close();
  }
  const left = shown.map(({ name }) => name).filter((name) => !trusted.includes(name));
  if (json) printJson({ trusted, not_trusted: left });
  else if (shown.length === 0) print("No new or changed project hooks.");
  else
    print(
      `${green(`${trusted.length} trusted`)}${left.length > 0 ? yellow(`, not trusted: ${left.join(", ")}`) : ""}`,
    );
  return isComplete && left.length === 0 ? EXIT.ok : EXIT.wrong;
}

/** Whether it is known what is trusted. If not, and the user agrees, the file is put aside, and nothing is trusted. */
async function isUsable(store: TrustStore, json: boolean): Promise<boolean> {
  const { problem, path } = store;
  if (problem === undefined) return true;
  notify(
    `it is not known what is trusted: ${path} cannot be used (${problem}). Without it nothing is trusted any more, in no project.`,
  );
  if (!(await askOnce(json ? process.stderr : process.stdout, "Put it aside and start anew?"))) return false;
  const aside = store.startAnew();
  if (aside !== undefined)
    notify(`it is now ${aside}; run ${typedCommand()} trust in each of your other projects as well`);
  return true;
}

function listTrusted(store: TrustStore, json: boolean): ExitCode {
  if (store.problem !== undefined) {
    if (json) printJson({ hooks: [], problem: store.problem });
    notify(`it is not known what is trusted: ${store.path} cannot be used (${store.problem})`);
    return EXIT.wrong;
  }
  const checker = new TrustChecker(store);
  const trusted = store.list().map(({ folder, hook, trustedAt }) => ({
    name: hook.name,
    folder,
    trusted_at: trustedAt,
    state: checker.statusOf(folder).type === "trusted" ? "trusted" : "changed",
  }));
  if (json) printJson({ hooks: trusted });
  else if (trusted.length === 0) print("No trusted hooks.");
  else {
    print(
      table(
        trusted.map(({ name, folder, trusted_at, state }) => [
          name,
          { text: state, style: state === "trusted" ? green : yellow },
          trusted_at.slice(0, 10),
          formatPath(folder),
        ]),
      ),
    );
  }
  return EXIT.ok;
}

function printRevoked(paths: readonly string[], json: boolean): ExitCode {
  if (json) printJson({ revoked: paths });
  else
    print(
      paths.length === 0
        ? "No trusted hooks here."
        : paths.map((path) => `No longer trusted: ${formatPath(path)}`).join("\n"),
    );
  return EXIT.ok;
}
