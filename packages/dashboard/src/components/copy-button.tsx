import { Button } from "@mantine/core";
import { IconCheck, IconCopy } from "@tabler/icons-react";
import { useCopy } from "./use-copy.ts";

interface Props {
  readonly label: string;
  /** Called when the button is pressed: the text may be long. */
  readonly text: () => string;
  readonly disabled?: boolean;
}

/** A button with a label that copies a text. */
export function CopyButton({ label, text, disabled = false }: Props) {
  const { isCopied, copy } = useCopy();
  return (
    <Button
      size="xs"
      variant="default"
      leftSection={isCopied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
      disabled={disabled}
      onClick={() => void copy(text())}
    >
      {isCopied ? "Copied" : label}
    </Button>
  );
}
