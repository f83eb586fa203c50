import { Button } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { IconReload } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { RunDetail } from "@tenterhook/protocol/runs";
import { useMay } from "../../access/identity.ts";
import { call } from "../../api/call.ts";
import { messageOf } from "../../parts/problem-words.ts";
import { CurlButton } from "./curl-button.tsx";
import { StopButton } from "./stop-button.tsx";

/** What can be done with a run, by those who may. */
export function RunActions({ run }: { readonly run: RunDetail }) {
  if (!useMay("run")) return null;
  // A run that carries out a hook is not tried again by itself: that would not be the hook any more.
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
      notifications.show({ color: "red", title: "The run was not retried", message: messageOf(error) }),
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
