import { Alert, Button, Stack, Text } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { type ErrorComponentProps, useRouter } from "@tanstack/react-router";
import { useCallback, useEffect } from "react";
import { errorMessage } from "../components/error-message.ts";
import { PageHeader } from "../components/page-header.tsx";

/** The pauses before the page is rendered again; the last one repeats. */
const PAUSES_MS = [2_000, 5_000, 15_000, 60_000] as const;
/** An error after this long is a new one. */
const FORGET_MS = 120_000;

/** The latest errors, of the page that failed last. */
let failing = { page: "", times: [] as readonly number[] };

/** An error of a page. The frame stays, and the page is rendered again after a pause, with data that is read anew. */
export function RouteError({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const client = useQueryClient();
  const retry = useCallback(() => {
    // The page may have failed because of its data; only the page that failed used it.
    client.removeQueries({ type: "inactive" });
    reset();
    void router.invalidate();
  }, [client, reset, router]);
  useEffect(() => {
    const now = Date.now();
    const page = location.pathname;
    const earlier = failing.page === page ? failing.times.filter((time) => now - time < FORGET_MS) : [];
    failing = { page, times: [...earlier, now] };
    const pause = PAUSES_MS[Math.min(failing.times.length, PAUSES_MS.length) - 1];
    const timer = setTimeout(retry, pause);
    return () => clearTimeout(timer);
  }, [retry]);
  return (
    <>
      <PageHeader title="Error" />
      <Alert
        color="red"
        variant="light"
        role="alert"
        title="This page failed"
        icon={<IconAlertTriangle aria-hidden />}
      >
        <Stack gap="xs" align="flex-start">
          <Text size="sm">{errorMessage(error)} The page is shown again in a moment.</Text>
          <Button size="xs" variant="default" onClick={retry}>
            Show again now
          </Button>
        </Stack>
      </Alert>
    </>
  );
}
