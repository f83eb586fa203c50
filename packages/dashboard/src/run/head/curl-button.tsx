import { Button, Modal, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconCheck, IconTerminal2 } from "@tabler/icons-react";
import type { RunDetail } from "@tenterhook/protocol/runs";
import { JsonView } from "../../components/json-view.tsx";
import { useCopy } from "../../components/use-copy.ts";
import { curlCommand } from "./curl-command.ts";

/** Copies a curl command that starts the same run, or shows it if the browser denies access to the clipboard. */
export function CurlButton({ run }: { readonly run: RunDetail }) {
  const [isShown, { open, close }] = useDisclosure();
  const { isCopied, copy } = useCopy(open);
  const command = curlCommand(run, location.origin);
  return (
    <>
      <Button
        size="xs"
        variant="default"
        leftSection={isCopied ? <IconCheck size={16} aria-hidden /> : <IconTerminal2 size={16} aria-hidden />}
        onClick={() => void copy(command)}
        aria-live="polite"
      >
        {isCopied ? "Copied" : "Copy as curl"}
      </Button>
      <Modal opened={isShown} onClose={close} title="Copy as curl" size="xl">
        <Text size="sm" mb="sm">
          The browser does not allow this page to use the clipboard. Copy the command from here, and set
          TENTERHOOK_TOKEN to your token first.
        </Text>
        <JsonView value={command} label="the command" />
      </Modal>
    </>
  );
}
