import type { FilePlan, RemovalPlan } from "@tenterhook/bridges/install";
import { isChange } from "@tenterhook/bridges/install";
import { typedCommand } from "@tenterhook/internal";
import { formatPath, fullPath } from "../format-hook.ts";
import { type Cell, dim, green, oneLine, red, table, yellow } from "../terminal.ts";

/** The planned change of a file, in a line or two. */
function formatPlan(plan: FilePlan): readonly string[] {
  const { problem, kind, added, changed, removed, before, isCommitted } = plan;
  const path = oneLine(formatPath(plan.path));
  if (problem !== undefined) return [yellow(`  ${path} is left alone: ${oneLine(problem)}`)];
  if (!isChange(plan)) return [dim(`  ${path} is up to date`)];
  const verb = before === undefined ? "is made" : "is changed";
  const parts = [
    kind === "trust" ? green(`trusts our ${[...new Set(added)].join(", ")}`) : "",
    kind !== "trust" && added.length > 0 ? green(`+ ${added.join(", ")}`) : "",
    changed.length > 0 ? yellow(`~ ${changed.join(", ")}`) : "",
    removed.length > 0 ? red(`- ${removed.join(", ")}`) : "",
  ];
  return [
    `  ${path} ${verb}`,
    ...parts.filter(Boolean).map((part) => `    ${part}`),
    ...(isCommitted
      ? [
          dim(
            "    it is shared: a teammate without Tenterhook gets a message how to install it, and no hook is enforced for them until then;\n    a teammate with it is guarded by their own installation, wherever that is",
          ),
        ]
      : []),
  ];
}

/** Plans of one client in few lines: files with one event each share a line. */
export function formatPlans(plans: readonly FilePlan[]): readonly string[] {
  const together = plans.filter(
    (plan) => plan.kind === "whole" && plan.problem === undefined && plan.added.length === 1,
  );
  const [first] = together;
  if (first === undefined || together.length < 3) return plans.flatMap(formatPlan);
  const events = together.flatMap(({ added }) => added);
  const folder = oneLine(formatPath(first.path.slice(0, first.path.lastIndexOf("/"))));
  const rest = plans.filter((plan) => !together.includes(plan));
  return [
    `  ${folder}: a file each is made`,
    `    ${green(`+ ${events.join(", ")}`)}`,
    ...rest.flatMap(formatPlan),
  ];
}

/** The files of all plans, a line each: what a person who looks at several agents at once needs. */
export function formatFiles(plans: readonly FilePlan[]): readonly string[] {
  const entries = new Map<string, number>();
  for (const { path, added, changed, problem } of plans) {
    const own = path.slice(0, path.lastIndexOf("/"));
    const place = plans.filter((each) => each.path.startsWith(`${own}/`)).length > 2 ? `${own}/` : path;
    if (problem === undefined) entries.set(place, (entries.get(place) ?? 0) + added.length + changed.length);
  }
  const rows = [...entries].map(([path, number]): Cell[] => [
    `  ${fullPath(path)}`,
    number === 0 ? { text: "up to date", style: dim } : { text: `+ ${number} entries`, style: green },
  ]);
  const problems = plans.filter(({ problem }) => problem !== undefined);
  return [...(rows.length > 0 ? [table(rows)] : []), ...problems.flatMap(formatPlan)];
}

/** What was written without a question, and how to undo it. */
export function formatWritten(plans: readonly FilePlan[], scope: FilePlan["scope"]): readonly string[] {
  const written = plans.filter((plan) => plan.problem === undefined && isChange(plan));
  if (written.length === 0) return ["Nothing had to be written."];
  const clients = [...new Set(written.map(({ client }) => client.id))].join(" ");
  const files = new Map(written.map(({ path, before }) => [path, before === undefined ? "new" : "changed"]));
  return [
    "Written without a question:",
    ...[...files].map(([path, how]) => `  ${oneLine(formatPath(path))} (${how})`),
    `To undo it: ${typedCommand()} uninstall ${clients} --${scope}`,
  ];
}

export function formatRemoval({ file, how, problem, warning }: RemovalPlan): string {
  const path = oneLine(formatPath(file.path));
  if (problem !== undefined) return yellow(`  ${path} is left alone: ${oneLine(problem)}`);
  switch (how) {
    case "restore":
      return `  ${path} ${green("is as it was before")}`;
    case "remove":
      return `  ${path} ${green("is removed")}`;
    case "take":
      return [
        `  ${path} ${green("is without the entries of Tenterhook")}, everything else stays`,
        ...(warning === undefined ? [] : [yellow(`    ${oneLine(warning)}`)]),
      ].join("\n");
    case "gone":
      return dim(`  ${path} has no entries of Tenterhook`);
  }
}
