import { Code, Group } from "@mantine/core";
import { CopyIcon } from "./json-view.tsx";

/** A command for a terminal, to be copied. */
export function CommandLine({ command }: { readonly command: string }) {
  return (
    <Group gap={4} wrap="nowrap" style={{ minWidth: 0 }}>
      <Code style={{ fontSize: 12, textAlign: "left", overflowWrap: "anywhere" }}>{command}</Code>
      <CopyIcon text={command} label="Copy the command" />
    </Group>
  );
}
