import { dim, table } from "../terminal.ts";

const COMMANDS = [
  [`run-agent hello "Who are you?" --wait`, "an agent that calls a tool"],
  [`run-agent release-notes "Prepare 1.4" --wait`, "steps and tools; a hook refuses one call"],
  [`run-agent report-generator report_id=R123 --wait`, "a start hook adds the path"],
  [`run-agent guarded "Run rm -rf /" --wait`, "a start hook refuses"],
  [`run-agent data-extractor source=orders --wait`, "its end starts the next agent"],
  [`run-agent deployer environment=production --wait`, "waits for tenterhook approvals approve"],
  ["runs", "the runs and their results"],
  ["events --follow", "all events, live"],
] as const;

/** Commands for a first try. */
export function thingsToTry(data: string | undefined): string {
  // In a checkout the command is not on the PATH, but npx finds it.
  const command = process.env.npm_lifecycle_event === undefined ? "tenterhook" : "npx tenterhook";
  const where = data === undefined ? "" : ` --data ${data}`;
  return table(
    COMMANDS.map(([args, means]) => [`  ${command} ${args}${where}`, { text: means, style: dim }]),
  );
}
