import { typedCommand } from "@tenterhook/internal";
import { dim, table } from "../terminal.ts";

const COMMANDS = [
  [`run hello "Who are you?"`, "an agent that calls a tool"],
  [`run release-notes "Prepare 1.4"`, "steps and tools; a hook refuses one call"],
  [`run report-generator report_id=R123`, "a start hook adds the path"],
  [`run guarded "Run rm -rf /"`, "a start hook refuses"],
  [`run data-extractor source=orders`, "its end starts the next agent"],
  [`run deployer environment=production`, "waits until a person approves it"],
  ["runs", "the runs and their results"],
  ["events --follow", "all events, live"],
] as const;

/** Commands for a first try. */
export function thingsToTry(data: string | undefined): string {
  const command = typedCommand();
  const where = data === undefined ? "" : ` --data ${data}`;
  return table(
    COMMANDS.map(([args, means]) => [`  ${command} ${args}${where}`, { text: means, style: dim }]),
  );
}
