import { createHooks, type EventName } from "@tenterhook/engine";
import type { ExplainedHook } from "@tenterhook/engine/internal";
import { type CataloguedHook, FileHooks, formatFinding } from "@tenterhook/file-hooks";
import { matcherOf } from "@tenterhook/file-hooks/discover";
import { findEntryPoint } from "@tenterhook/file-hooks/run";
import { couldRefuse, TrustChecker } from "@tenterhook/file-hooks/trust";
import { typedCommand } from "@tenterhook/internal";
import { eventRow } from "@tenterhook/protocol";
import { environmentHere, startHere } from "../check/start-here.ts";
import { defineCommand, EXIT, option } from "../command.ts";
import { CALL_OPTIONS, type DescribedEvent, describedEvent } from "../event/described-event.ts";
import { hooksNamed, unknownHook } from "../find-hooks.ts";
import { trustEffect } from "../hook-state.ts";
import { refuseMisplaced } from "../read-arguments.ts";
import {
  bold,
  type Cell,
  count,
  dim,
  green,
  print,
  printable,
  printJson,
  red,
  table,
  yellow,
} from "../terminal.ts";
import { UsageError } from "../usage-error.ts";
import { workingFolder } from "../working-folder.ts";

/** What would happen with one hook. */
interface Explained {
  readonly each: CataloguedHook;
  /** Its position among the hooks that would be called. */
  readonly order: number | undefined;
  /** `blocks` and `asks`: it always does, without running a script. */
  readonly effect: "runs" | "blocks" | "asks" | "left_out";
  readonly why: string;
  /** The hooks behind it that may change the value, which it does not see: it has `rejudge: false`. */
  readonly calledOnceBefore: readonly string[];
}

export const explain = defineCommand({
  usage:
    "explain EVENT [--tool T] [--input JSON | --command TEXT] [--hook NAME] [--variables] [--dir D] | explain [EVENT] --script",
  about:
    "Shows which hooks would run at an event, in which order, and why others would not. Runs nothing.\n" +
    "At events without a tool, --input gives the event's own fields.\n" +
    "With --script, prints an example of the JSON that a script receives on standard input at an event, and its possible\n" +
    "answers; without EVENT, lists the events that a HOOK.md can use.",
  options: {
    ...CALL_OPTIONS,
    hook: option.text("NAME", "only this hook, by its name or folder"),
    variables: option.flag("also the names of the variables that the scripts get, and of those left out"),
    dir: option.text("D", "the working folder (default: this one)"),
    script: option.flag("what a script reads at the event, and what it may answer"),
  },
  arguments: { min: 0, max: 1 },
  examples: [
    {
      command: "tenterhook explain before_tool --tool Shell --input 'rm -rf build'",
      means: "which hooks would check this command",
    },
    {
      command: "tenterhook explain before_tool --command 'git push' --hook no-force-push",
      means: "would this hook be called, and why not?",
    },
    {
      command: "tenterhook explain before_tool --script",
      means: "input and answers of a guard of tool calls",
    },
    {
      command: "tenterhook explain before_tool --script --json | jq .example > event.json",
      means: "an event to test a script with",
    },
  ],
  async run({ script, ...values }, [name]) {
    const { tool: named, input, command, hook, variables, dir, json } = values;
    if (script) {
      refuseMisplaced(
        values,
        Object.keys(values).filter((option) => option !== "json"),
        {
          reason: "is about the hooks of this folder, and --script is about any script",
          hint: "Omit one of them.",
        },
      );
      const { describeScript } = await import("../event/describe-script.ts");
      await describeScript(name, json);
      return EXIT.ok;
    }
    if (name === undefined) {
      throw new UsageError(
        "missing argument.",
        `Name an event: ${typedCommand()} explain before_tool. To list them: ${typedCommand()} explain --script`,
      );
    }
    const workDir = workingFolder(dir);
    const described = await describedEvent(
      { name, tool: named, input, command },
      { workDir, sessionId: "explain" },
    );
    const { toolName: tool } = described.payload as { readonly toolName?: string };
    const fileHooks = new FileHooks({ cwd: workDir });
    const { hooks, findings } = await fileHooks.catalogue(described.event);
    const all = await explainAll(hooks, described, new TrustChecker(fileHooks.trust), workDir);
    const explained = hook === undefined ? all : onlyNamed(hook, all, described.event);
    if (json) {
      const data = explained.map((each) => ({
        ...asData(each),
        ...environmentData(each, described.event, workDir),
      }));
      printJson({ event: described.event, tool: tool ?? null, hooks: data, findings });
      return EXIT.ok;
    }
    printExplanation(described.event, tool, explained);
    printCalledOnce(explained);
    if (variables) printEnvironments(described.event, workDir, explained);
    const problems = findings.filter(({ severity }) => severity === "error").map(formatFinding);
    if (problems.length > 0)
      print(`\n${bold("Cannot be used")}\n${printable(problems.map((each) => `  ${each}`).join("\n"))}`);
    return EXIT.ok;
  },
});

/** What was explained of the hooks with a name or in a folder. Throws a `UsageError` when there is none. */
function onlyNamed(given: string, all: readonly Explained[], event: EventName): readonly Explained[] {
  const hooks = all.map((explained) => {
    const { hook, folder } = explained.each;
    return { name: hook.name, folder, explained };
  });
  const found = hooksNamed(given, hooks);
  if (found.length > 0) return found.map(({ explained }) => explained);
  throw unknownHook(
    `there is no hook "${given}" for ${event} here.`,
    given,
    hooks,
    `Run ${typedCommand()} list --all to see the hooks and their events.`,
  );
}

/** Sync hooks in the order they would run, then the background ones, then those that would not. */
async function explainAll(
  hooks: readonly CataloguedHook[],
  { event, payload }: DescribedEvent,
  checker: TrustChecker,
  workDir: string,
): Promise<readonly Explained[]> {
  const engine = createHooks();
  const byId = new Map<string, CataloguedHook>();
  for (const [index, each] of hooks.entries()) {
    if (each.inactive !== undefined) continue;
    byId.set(String(index), each);
    const { name, priority, mode, rejudge, enforce } = each.hook;
    engine.on(event, () => undefined, {
      id: String(index),
      name,
      priority,
      mode,
      rejudge,
      enforce,
      matcher: matcherOf(each.hook),
      source: each.file,
    });
  }
  // Loads what reads effects, where a matcher is about them.
  await engine.prepare(event);
  const planned = engine.explain(event, payload).hooks.flatMap((plannedHook) => {
    const each = byId.get(plannedHook.hook.id);
    return each === undefined ? [] : [{ each, plannedHook }];
  });
  const place = { event, workDir };
  // Names are unique among active hooks. One that does not match now may match what another one changes.
  const able = new Set(
    planned
      .filter(
        ({ each, plannedHook }) =>
          evaluateHook(each, place, { ...plannedHook, runs: true }, checker).effect === "runs",
      )
      .map(({ each }) => each.hook.name),
  );
  let order = 0;
  let refuser: string | undefined;
  const active = planned.map(({ each, plannedHook }): Explained => {
    const { effect, why } = evaluateHook(each, place, plannedHook, checker);
    const isReached = effect === "left_out" || refuser === undefined || each.hook.always;
    if (!isReached) return leftOut(each, `not reached: ${refuser} refuses first`);
    if (effect === "blocks") refuser = each.hook.name;
    const calledOnceBefore = able.has(each.hook.name)
      ? (plannedHook.calledOnceBefore ?? []).filter((name) => able.has(name))
      : [];
    return { each, order: effect === "left_out" ? undefined : ++order, effect, why, calledOnceBefore };
  });
  const inactive = hooks
    .filter((each) => each.inactive !== undefined)
    .map((each) => leftOut(each, WHY_INACTIVE[each.inactive ?? "disabled"]));
  return [...active, ...inactive];
}

function leftOut(each: CataloguedHook, why: string): Explained {
  return { each, order: undefined, effect: "left_out", why, calledOnceBefore: [] };
}

const WHY_INACTIVE = {
  shadowed: "shadowed: the user has a hook of the same name",
  overridden: "overridden: the project has a hook of the same name",
  duplicate: "duplicate: another hook in the same folder has its name, so neither is used",
  disabled: "disabled: by a hooks.toml",
};

function evaluateHook(
  each: CataloguedHook,
  { event, workDir }: { readonly event: EventName; readonly workDir: string },
  { runs, why }: ExplainedHook,
  checker: TrustChecker,
): Pick<Explained, "effect" | "why"> {
  const { hook, gone } = each;
  if (!runs) return { effect: "left_out", why: `unmatched: ${why}` };
  if (gone !== undefined) {
    const blocks = hook.onError === "block" && eventRow(event).failure.action === "refuse";
    const then = blocks ? "so the action is refused" : "so it is skipped";
    const why =
      gone.command === undefined
        ? `broken, ${then}: ${gone.why}`
        : `gone: ${gone.why}, ${then}; confirm it with: ${gone.command}`;
    return { effect: blocks ? "blocks" : "left_out", why };
  }
  const untrusted = trustEffect(each, event, checker);
  if (untrusted !== undefined) return untrusted;
  if (hook.action !== undefined && hook.enforce !== false)
    return {
      effect: hook.action.type === "block" ? "blocks" : "asks",
      why: `${why}, and it has action: ${hook.action.type}`,
    };
  return cannotStart(each, event, workDir) ?? { effect: "runs", why };
}

/** A hook whose interpreter is missing or lies in the project cannot start; a guard then refuses. */
function cannotStart(
  { scope, folder, hook }: CataloguedHook,
  event: EventName,
  workDir: string,
): Pick<Explained, "effect" | "why"> | undefined {
  const entry = findEntryPoint(folder);
  const start = typeof entry === "string" ? undefined : startHere(entry, folder, hook, workDir);
  if (start === undefined || !("type" in start) || (start.type === "missing" && scope === "user"))
    return undefined;
  const refuses = couldRefuse(hook, event);
  return {
    effect: refuses ? "blocks" : "left_out",
    why: `cannot start: ${start.why}${refuses ? ", so the action is refused" : ""}`,
  };
}

function printExplanation(event: EventName, tool: string | undefined, explained: readonly Explained[]): void {
  const called = explained.filter(({ order }) => order !== undefined);
  const others = explained.filter(({ order }) => order === undefined);
  print(
    bold(
      printable(
        `${event}${tool === undefined ? "" : ` ${tool}`}: ${count(called.length, "hook")} would be called`,
      ),
    ),
  );
  if (called.length > 0) print(table(called.map(calledRow)));
  if (others.length === 0) return;
  print(`\n${bold("Not called")}`);
  print(
    table(others.map(({ each: { hook, scope }, why }): Cell[] => [`  ${hook.name}`, dimmed(scope), why])),
  );
}

/** Warns of hooks that do not see what hooks behind them change. What is refused anyway is not changed. */
function printCalledOnce(explained: readonly Explained[]): void {
  if (explained.some(({ effect }) => effect === "blocks")) return;
  const rows = explained
    .filter(({ calledOnceBefore }) => calledOnceBefore.length > 0)
    .map(({ each: { hook }, calledOnceBefore }): Cell[] => [
      `  ${hook.name}`,
      `does not see what these change after it: ${calledOnceBefore.join(", ")}`,
    ]);
  if (rows.length === 0) return;
  print(`\n${bold("Called once")} ${dim("(rejudge: true calls them again about the changed value)")}`);
  print(table(rows));
}

/** The names of the variables that the scripts get, once for hooks that get the same. Values are not shown: they may be secrets. */
function printEnvironments(event: EventName, workDir: string, explained: readonly Explained[]): void {
  const groups = new Map<string, string[]>();
  for (const { each, effect } of explained) {
    if (effect !== "runs") continue;
    const { variables, omitted } = environmentHere(each, event, workDir);
    const lines = [
      `  ${green("given")}: ${printable(Object.keys(variables).sort().join(" "))}`,
      ...omitted.map(({ name, why }) => `  ${dim("left out")}: ${printable(name)}, because ${why}`),
    ];
    const text = lines.join("\n");
    groups.set(text, [...(groups.get(text) ?? []), each.hook.name]);
  }
  for (const [text, hooks] of groups) {
    print(`\n${bold(printable(`Variables of ${hooks.join(", ")}`))} ${dim("as this shell has them")}`);
    print(text);
  }
}

function environmentData(
  { each, effect }: Explained,
  event: EventName,
  workDir: string,
): Record<string, unknown> {
  if (effect !== "runs") return {};
  const { variables, omitted } = environmentHere(each, event, workDir);
  return {
    variables: Object.keys(variables).sort(),
    left_out: omitted.map(({ name, why }) => ({ name, why })),
  };
}

function calledRow({ each: { hook, scope }, order, effect, why }: Explained): Cell[] {
  const effectCell =
    effect === "blocks"
      ? { text: "blocks", style: red }
      : effect === "asks"
        ? { text: "asks", style: yellow }
        : hook.enforce === false
          ? { text: "runs, not enforced", style: yellow }
          : { text: hook.mode === "sync" ? "runs" : "runs in the background", style: green };
  return [`  ${order}`, hook.name, dimmed(scope), `priority ${hook.priority}`, effectCell, why];
}

function dimmed(text: string): Cell {
  return { text, style: dim };
}

function asData(explained: Explained): Record<string, unknown> {
  const { each, order, effect, why, calledOnceBefore } = explained;
  const { hook, scope, file } = each;
  return {
    order: order ?? null,
    hook: hook.name,
    source: file,
    scope,
    priority: hook.priority,
    mode: hook.mode,
    enforce: hook.enforce ?? true,
    effect,
    why,
    ...(calledOnceBefore.length > 0 && { called_once_before: calledOnceBefore }),
  };
}
