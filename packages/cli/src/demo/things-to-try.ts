import { dim, table } from "../terminal.ts";

const COMMANDS = [
  [`run-agent hello "Who are you?" --wait`, "an agent that calls a tool"],
  [`run-agent release-notes "Prepare 1.4" --wait`, "steps and tools; a hook refuses one call"],
  [`run-agent report-generator report_id=R123 --wait`, "a start hook adds the path"],
  [`run-agent guarded "Run rm -rf /" --wait`, "a start hook refuses"],
  [`run-agent data-extractor source=orders --wait`, "its end starts the next agent"],
  [`run-agent deployer environment=production --wait`, "waits for tenterhook approvals approve"],
  ["runs", "what came of it all"],
  ["events --follow", "everything, as it happens"],
] as const;

/** What a person may do next, as commands to copy. */
export function thingsToTry(data: string | undefined): string {
  // In a checkout the command is not on the path, but npm knows it.
  const command = process.env.npm_lifecycle_event === undefined ? "tenterhook" : "npx tenterhook";
  const where = data === undefined ? "" : ` --data ${data}`;
  return table(
    COMMANDS.map(([words, means]) => [`  ${command} ${words}${where}`, { text: means, style: dim }]),
  );
}
