import { Button } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { IconReload } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { RunDetail } from "@tenterhook/protocol/runs";
import { useMay } from "../../access/identity.ts";
import { call } from "../../api/call.ts";
import { errorMessage } from "../../components/error-message.ts";
import { CurlButton } from "./curl-button.tsx";
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
      {mayStop && <StopButton run={run} />}
    </>
  );
}

function RetryButton({ run: { run_id: id } }: { readonly run: RunDetail }) {
  const navigate = useNavigate();
  const retry = useMutation({
    mutationFn: () => call("POST /runs/{id}/retry", { params: { id }, query: {} }),
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
