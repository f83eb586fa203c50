import { join } from "node:path";
import type { Client } from "@tenterhook/bridges";
import {
  aboutMoved,
  deliveringEvents,
  type FileLocation,
  type FilePlan,
  fileText,
  foreignHooks,
  HASH_TRUST,
  type InstalledFile,
  isChange,
  settingAt,
} from "@tenterhook/bridges/install";
import { shownPath } from "../shown-hook.ts";
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
    ...files.filter(({ kind }) => kind === "entries").flatMap(({ target }) => aboutForeign(client, target)),
  ];
  const notes = files.flatMap((file) => aboutMoved(client, file, fileText(file.target) ?? "") ?? []);
  return { findings, notes };
}

function aboutPlan(client: Client, plan: FilePlan): readonly DoctorFinding[] {
  const path = shownPath(plan.path);
  const scope = plan.scope === "project" ? " --project" : "";
  const mend = `Run: tenterhook install ${client.id}${scope}`;
  if (plan.problem !== undefined)
    return [
      {
        problem: `${path} cannot be used: ${plan.problem}`,
        mend: `Fix the file, then run: tenterhook install ${client.id}${scope}`,
      },
    ];
  const trust = HASH_TRUST[client.id];
  if (plan.kind === "trust" && trust !== undefined) {
    const wanted = (plan.trust ?? []).map(({ key, hash }) => ({ key, hash, event: eventOf(client, key) }));
    return trust.problems(plan.before ?? "", wanted).map((problem) => ({ problem, mend }));
  }
  if (!isChange(plan)) return [];
  const { added, changed, removed } = plan;
  return [
    ...(added.length > 0 ? [{ problem: `${path} has no entry of ours for ${added.join(", ")}`, mend }] : []),
    ...(changed.length > 0
      ? [
          {
            problem: `${path} has an entry that is out of date, or lacks the switch that a guard with on_error: block needs: ${changed.join(", ")}`,
            mend,
          },
        ]
      : []),
    ...(removed.length > 0
      ? [{ problem: `${path} has entries that nothing needs: ${removed.join(", ")}`, mend }]
      : []),
  ];
}

function eventOf({ events }: Client, key: string): string {
  const snake = key.split(":").at(-3) ?? "";
  return Object.keys(events).find((name) => name.toLowerCase() === snake.replaceAll("_", "")) ?? snake;
}

function aboutSwitches(
  { configuration, name }: Client,
  { home, project }: FileLocation,
): readonly DoctorFinding[] {
  return (configuration.switches ?? []).flatMap(({ path, key, off }) =>
    [home, project].flatMap((folder): DoctorFinding[] => {
      const file = join(folder, path);
      if (settingAt(file, key) !== off) return [];
      return [
        {
          problem: `${shownPath(file)} turns all hooks of ${name} off (${key.join(".")} is ${off})`,
          mend: `Remove ${key.join(".")} from it.`,
        },
      ];
    }),
  );
}

/** What a hook prints to change a tool's input, in one client or another. */
const REWRITES = /updatedInput|modifiedArgs|overrideInput|updated_input|hookSpecificOutput[\s\S]*tool_input/;

function aboutForeign(client: Client, path: string): readonly DoctorFinding[] {
  const events = new Set(deliveringEvents(client, "before_tool").map(([name]) => name));
  return foreignHooks(client, path)
    .filter(({ event, command }) => events.has(event) && REWRITES.test(`${command}\n${scriptsIn(command)}`))
    .map(({ event, command }) => ({
      problem: `another hook changes the input of tools at ${event}, beside ours and unseen by it: ${command}`,
      mend: "Make it a HOOK.md hook (tenterhook init), so that guards judge the changed input.",
    }));
}

/** The text of the files that a command names. */
function scriptsIn(command: string): string {
  return command
    .split(/[\s"'=]+/)
    .filter((word) => word.startsWith("/"))
    .map((word) => (fileText(word) ?? "").slice(0, 200_000))
    .join("\n");
}
