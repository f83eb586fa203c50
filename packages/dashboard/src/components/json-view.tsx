import { ActionIcon, Box, Code, CopyButton, Tooltip } from "@mantine/core";
import { IconCheck, IconCopy } from "@tabler/icons-react";

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

/** A button that copies a text. */
export function CopyIcon({ text, label }: { readonly text: string; readonly label: string }) {
  return (
    <CopyButton value={text} timeout={1_500}>
      {({ copied, copy }) => (
        <Tooltip label={copied ? "Copied" : label}>
          <ActionIcon
            variant="subtle"
            color={copied ? "green" : "gray"}
            size="sm"
            onClick={copy}
            aria-label={label}
          >
            {copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
          </ActionIcon>
        </Tooltip>
      )}
    </CopyButton>
  );
}
