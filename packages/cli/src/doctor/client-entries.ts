import { resolve } from "node:path";
import type { Client } from "@tenterhook/bridges";
import { deliveringEvents } from "@tenterhook/bridges/coverage";
import {
  aboutMoved,
  configurationPaths,
  type FileLocation,
  type FilePlan,
  fileText,
  foreignHooks,
  HASH_TRUST,
  type InstalledFile,
  isChange,
  settingAt,
} from "@tenterhook/bridges/install";
import { typedCommand } from "@tenterhook/internal";
import { realPath } from "@tenterhook/internal/files";
import { formatPath } from "../format-hook.ts";
import type { DoctorFinding, StepResult } from "./finding.ts";

/** Checks that a client's files contain the installed entries unchanged, and no setting that turns hooks off. */
export function checkEntries(
  client: Client,
  files: readonly InstalledFile[],
  plans: readonly FilePlan[],
  at: FileLocation,
): StepResult {
  const findings = [
    ...plans.flatMap((plan) => aboutPlan(client, plan)),
    ...aboutSwitches(client, at),
    ...findHookFiles(client, files, at).flatMap((path) => aboutForeign(client, path, at)),
  ];
  const moved = files.flatMap((file) => aboutMoved(client, file, fileText(file.target) ?? "") ?? []);
  return { findings, notes: [...moved, ...aboutTrustedFolder(client, plans)] };
}

function aboutPlan(client: Client, plan: FilePlan): readonly DoctorFinding[] {
  const path = formatPath(plan.path);
  const scope = plan.scope === "project" ? " --project" : "";
  const fix = `Run: ${typedCommand()} install ${client.id}${scope}`;
  if (plan.problem !== undefined)
    return [
      {
        problem: `${path} cannot be used: ${plan.problem}`,
        fix: `Fix the file, then run: ${typedCommand()} install ${client.id}${scope}`,
      },
    ];
  const trust = HASH_TRUST[client.id];
  if (plan.kind === "trust" && trust !== undefined) {
    const wanted = (plan.trust ?? []).map(({ key, hash }) => ({ key, hash, event: findEvent(client, key) }));
    const text = plan.before ?? "";
    return [
      ...trust.problems(text, wanted).map((problem) => ({ problem, fix })),
      ...trust.turnedOff(text, wanted).map((event) => ({
        problem: `${event} is turned off in ${client.name} (enabled = false)`,
        fix: `Turn it on in ${client.name}, or remove enabled = false from it in ${path}.`,
      })),
    ];
  }
  if (!isChange(plan)) return [];
  if (plan.before === plan.after) return [{ problem: `${path} is not executable`, fix }];
  const { added, changed, removed } = plan;
  return [
    ...(added.length > 0
      ? [{ problem: `${path} has no entry of Tenterhook for ${added.join(", ")}`, fix }]
      : []),
    ...(changed.length > 0
      ? [
          {
            problem: `${path} has an entry that is out of date, or lacks the switch that a guard with on_error: block needs: ${changed.join(", ")}`,
            fix,
          },
        ]
      : []),
    ...(removed.length > 0
      ? [{ problem: `${path} has entries that nothing needs: ${removed.join(", ")}`, fix }]
      : []),
  ];
}

/** A client keeps to itself which folders it trusts. */
function aboutTrustedFolder({ configuration }: Client, plans: readonly FilePlan[]): readonly string[] {
  const { consent } = configuration;
  return consent?.type === "trusted_folder" && plans.some(({ scope }) => scope === "project")
    ? [`not checked: ${consent.how}`]
    : [];
}

function findEvent({ events }: Client, key: string): string {
  const snake = key.split(":").at(-3) ?? "";
  return Object.keys(events).find((name) => name.toLowerCase() === snake.replaceAll("_", "")) ?? snake;
}

function aboutSwitches({ configuration, name }: Client, at: FileLocation): readonly DoctorFinding[] {
  return (configuration.switches ?? []).flatMap(({ path, key, off }) =>
    configurationPaths(configuration, path, at).flatMap((file): DoctorFinding[] => {
      const value = settingAt(file, key);
      const setting = key.join(".");
      const problem = `${formatPath(file)} turns all hooks of ${name} off`;
      if (Array.isArray(value))
        return value.includes(off)
          ? [{ problem: `${problem} (${setting} has ${off})`, fix: `Remove ${off} from ${setting} in it.` }]
          : [];
      if (value !== off) return [];
      return [{ problem: `${problem} (${setting} is ${off})`, fix: `Remove ${setting} from it.` }];
    }),
  );
}

/** What a hook prints to change a tool's input, in one client or another. */
const REWRITES = /updatedInput|modifiedArgs|overrideInput|updated_input|hookSpecificOutput[\s\S]*tool_input/;

/** The files that a client reads hooks from beside ours. */
function findHookFiles(
  { configuration }: Client,
  files: readonly InstalledFile[],
  at: FileLocation,
): readonly string[] {
  const ours = files.filter(({ kind }) => kind === "entries").map(({ target }) => target);
  const others = configuration.guarded
    .filter((path) => path.endsWith(".json"))
    .flatMap((path) => configurationPaths(configuration, path, at));
  return [...new Set([...ours, ...others].map(realPath))];
}

function aboutForeign(client: Client, path: string, at: FileLocation): readonly DoctorFinding[] {
  const events = new Set(deliveringEvents(client, "before_tool").map(([name]) => name));
  return foreignHooks(client, path)
    .filter(
      ({ event, command }) => events.has(event) && REWRITES.test(`${command}\n${scriptsIn(command, at)}`),
    )
    .map(({ event, command }) => ({
      problem: `another hook changes the input of tools at ${event}, beside ours and unseen by it: ${command}`,
      fix: `Make it a HOOK.md hook (${typedCommand()} init), so that guards check the changed input.`,
    }));
}

/** The text of the files that a command names. */
function scriptsIn(command: string, { home, project }: FileLocation): string {
  return command
    .replaceAll(/"?\$\{?HOME\}?"?(?=\/)|(?<![^\s"'=])~(?=\/)/g, () => home)
    .replaceAll(/"?\$\{?\w+_PROJECT_DIR\}?"?(?=\/)/g, () => project)
    .split(/[\s"'=]+/)
    .filter((word) => word.includes("/"))
    .map((word) => (fileText(resolve(project, word)) ?? "").slice(0, 200_000))
    .join("\n");
}
