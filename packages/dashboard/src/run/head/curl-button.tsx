import { Button, Modal, Text } from "@mantine/core";
import { useClipboard } from "@mantine/hooks";
import { IconCheck, IconTerminal2 } from "@tabler/icons-react";
import type { RunDetail } from "@tenterhook/protocol/runs";
import { JsonView } from "../../components/json-view.tsx";
import { curlCommand } from "./curl-command.ts";

/** Copies a curl command that starts the same run, or shows it if the browser denies access to the clipboard. */
export function CurlButton({ run }: { readonly run: RunDetail }) {
  const { copy, copied, error, reset } = useClipboard();
  const command = curlCommand(run, location.origin);
  return (
    <>
      <Button
        size="xs"
        variant="default"
        leftSection={copied ? <IconCheck size={16} aria-hidden /> : <IconTerminal2 size={16} aria-hidden />}
        onClick={() => copy(command)}
        aria-live="polite"
      >
        {copied ? "Copied" : "Copy as curl"}
      </Button>
      <Modal opened={error !== null} onClose={reset} title="Copy as curl" size="xl">
        <Text size="sm" mb="sm">
          The browser does not allow this page to use the clipboard. Copy the command from here, and set
          TENTERHOOK_TOKEN to your token first.
        </Text>
        <JsonView value={command} label="the command" />
      </Modal>
    </>
  );
}
