import { Code, Group } from "@mantine/core";
import { CopyIcon } from "./json-view.tsx";

interface Props {
  readonly command: string;
  readonly copyLabel?: string;
}

/** A command for a terminal, or another line, to be copied. */
export function CommandLine({ command, copyLabel = "Copy the command" }: Props) {
  return (
    <Group gap={4} wrap="nowrap" style={{ minWidth: 0 }}>
      <Code style={{ fontSize: 12, textAlign: "left", overflowWrap: "anywhere" }}>{command}</Code>
      <CopyIcon text={command} label={copyLabel} />
    </Group>
  );
}
