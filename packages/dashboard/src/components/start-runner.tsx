import { Code, Group } from "@mantine/core";
import { CopyIcon } from "./json-view.tsx";

/** The command that starts a runner for this coordinator, to be copied. */
export function StartRunner({ tags = [] }: { readonly tags?: readonly string[] }) {
  const wanted = tags.length === 0 ? "" : ` --tags ${tags.join(",")}`;
  const command = `tenterhook runners start --url ${location.origin} --token …${wanted}`;
  return (
    <Group gap={4} wrap="nowrap" style={{ minWidth: 0 }}>
      <Code style={{ fontSize: 12, textAlign: "left", overflowWrap: "anywhere" }}>{command}</Code>
      <CopyIcon text={command} label="Copy the command" />
    </Group>
  );
}
