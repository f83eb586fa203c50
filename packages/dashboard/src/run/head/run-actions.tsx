import { Button, Modal, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { notifications } from "@mantine/notifications";
import { IconCheck, IconReload, IconRotateDot, IconTerminal2 } from "@tabler/icons-react";
import { useNavigate } from "@tanstack/react-router";
import type { RunDetail } from "@tenterhook/protocol/runs";
import { useState } from "react";
import { useMay } from "../../access/identity.ts";
import { call } from "../../api/call.ts";
import { useWrite } from "../../api/use-write.ts";
import { errorMessage } from "../../components/error-message.ts";
import { JsonView } from "../../components/json-view.tsx";
import { useCopy } from "../../components/use-copy.ts";
import { useStoredDraft } from "../../editing/use-stored-draft.ts";
import { StartRunDrawer } from "../../runs/start-run-drawer.tsx";
import { startFormAddress } from "../../runs/stored-start.ts";
import { curlCommand } from "./curl-command.ts";
import { StopButton } from "./stop-button.tsx";

/** The buttons of a run, for users with the permission. */
export function RunActions({ run }: { readonly run: RunDetail }) {
  if (!useMay("run")) return null;
  // A hook run cannot be retried alone: it belongs to its hook.
  const mayRetry = run.finished_at !== null && run.kind !== "hook";
  const mayStop = run.finished_at === null && run.status !== "finishing";
  return (
    <>
      <CurlButton run={run} />
      {mayRetry && <RetryButton run={run} />}
      {mayRetry && <RetryWithChangesButton run={run} />}
      {mayStop && <StopButton run={run} />}
    </>
  );
}

function RetryButton({ run: { run_id: id } }: { readonly run: RunDetail }) {
  const navigate = useNavigate();
  const retry = useWrite({
    mutationFn: () => call("POST /runs/{id}/retry", { params: { id }, query: {}, body: {} }),
    onSuccess: ({ run_id }) => navigate({ to: "/runs/$id", params: { id: run_id } }),
    onError: (error) =>
      notifications.show({ color: "red", title: "The run was not retried", message: errorMessage(error) }),
  });
  return (
    <Button
      size="xs"
      variant="default"
      leftSection={<IconReload size={16} aria-hidden />}
      loading={retry.isPending}
      onClick={() => retry.mutate()}
    >
      Retry
    </Button>
  );
}

/** Opens the form that starts runs, filled with what this run was first given. */
function RetryWithChangesButton({ run }: { readonly run: RunDetail }) {
  const store = useStoredDraft(startFormAddress(run));
  // Then the form was open when the session ended.
  const [isKept] = useState(() => store.read() !== undefined);
  const [isOpen, { open, close }] = useDisclosure(isKept);
  const retryOf = { run_id: run.run_id, parameters: run.original_parameters ?? run.parameters };
  return (
    <>
      <Button
        size="xs"
        variant="default"
        leftSection={<IconRotateDot size={16} aria-hidden />}
        onClick={open}
      >
        Retry with changes
      </Button>
      <StartRunDrawer isOpen={isOpen} agent={run.agent_name} onClose={close} retryOf={retryOf} />
    </>
  );
}

/** Copies a curl command that starts the same run, or shows it if the browser denies access to the clipboard. */
function CurlButton({ run }: { readonly run: RunDetail }) {
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
