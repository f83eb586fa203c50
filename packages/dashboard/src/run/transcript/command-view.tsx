import { Text } from "@mantine/core";
import { CopyIcon } from "../../components/json-view.tsx";
import { visibleText } from "../../components/visible-text.ts";
import { LongText } from "../long-text.tsx";
import classes from "./command-view.module.css";
import type { CommandOutput, ToolCommand } from "./read-command.ts";
import { valueText } from "./transcript-labels.ts";

/** A command as in a terminal. */
export function CommandView({
  command: { command, rest },
  sought,
}: {
  readonly command: ToolCommand;
  readonly sought: string;
}) {
  return (
    <>
      <div className={classes.box}>
        <code className={classes.command}>{visibleText(command)}</code>
        <span className={classes.copy}>
          <CopyIcon text={command} label="Copy the command" />
        </span>
      </div>
      {rest !== undefined && <LongText label="Other input" text={valueText(rest)} isCode sought={sought} />}
    </>
  );
}

/** What a command printed, and how it ended if it failed. */
export function OutputView({
  output: { stdout, stderr, ending },
  sought,
}: {
  readonly output: CommandOutput;
  readonly sought: string;
}) {
  return (
    <>
      {stdout !== "" && <LongText label="Output" text={stdout.trimEnd()} isCode sought={sought} />}
      {stderr !== "" && <LongText label="Error output" text={stderr.trimEnd()} isCode sought={sought} />}
      {stdout === "" && stderr === "" && <Text size="sm">The command printed nothing.</Text>}
      {ending !== undefined && (
        <Text size="sm" className={classes.ending}>
          The command failed: {ending}
        </Text>
      )}
    </>
  );
}
