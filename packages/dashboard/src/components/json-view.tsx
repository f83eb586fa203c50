import { ActionIcon, Box, Code, Tooltip } from "@mantine/core";
import { IconCheck, IconCopy } from "@tabler/icons-react";
import { useCopy } from "./use-copy.ts";

/** Formatted JSON with a copy button. */
export function JsonView({ value, label }: { readonly value: unknown; readonly label: string }) {
  const text = typeof value === "string" ? value : JSON.stringify(value, undefined, 2);
  return (
    <Box pos="relative">
      <Code
        block
        aria-label={label}
        tabIndex={0}
        style={{ maxHeight: 480, overflow: "auto", whiteSpace: "pre-wrap" }}
      >
        {text}
      </Code>
      <Box pos="absolute" top={6} right={6}>
        <CopyIcon text={text} label={`Copy ${label}`} />
      </Box>
    </Box>
  );
}

/** An icon that copies a text. */
export function CopyIcon({ text, label }: { readonly text: string; readonly label: string }) {
  const { isCopied, copy } = useCopy();
  return (
    <Tooltip label={isCopied ? "Copied" : label}>
      <ActionIcon
        variant="subtle"
        color={isCopied ? "green" : "gray"}
        size="sm"
        onClick={() => void copy(text)}
        aria-label={label}
      >
        {isCopied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
      </ActionIcon>
    </Tooltip>
  );
}
