import { Button, Center, Code, Loader, Stack, Text, Title } from "@mantine/core";
import { IconEyeOff } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { mayDo } from "@tenterhook/protocol/runs";
import { type ComponentType, type ReactNode, useEffect, useRef, useState } from "react";
import { Identity, type useIdentity } from "../access/identity.ts";
import { isProblem } from "../api/problem.ts";
import { queries } from "../api/queries.ts";
import { EmptyState } from "../components/empty-state.tsx";
import { ProblemState } from "../components/problem-state.tsx";
import { storedDrafts } from "../editing/stored-drafts.ts";
import type { SignInProps } from "./sign-in-page.tsx";
import { useSignOut } from "./use-sign-out.ts";

/** Shows the page to users who may read it, and the sign-in page to all others. The address does not change. */
export function Gate({ children }: { readonly children: ReactNode }) {
  const { data, error, failureReason, refetch } = useQuery(queries.whoAmI());
  const wasSignedIn = useRef(false);
  useEffect(() => {
    if (data === undefined || error !== null) return;
    wasSignedIn.current = true;
    storedDrafts.forgetOthers(data.name);
  }, [data, error]);
  // While the request is repeated there is no error; the form and what was typed into it stay.
  const [isSignedOut, setSignedOut] = useState(false);
  const isRefused = isProblem(error, "unauthenticated");
  if (isRefused && !isSignedOut) setSignedOut(true);
  if (isSignedOut && data !== undefined && error === null) setSignedOut(false);
  if (isRefused || isSignedOut) {
    return <SignIn reason={wasSignedIn.current ? "ended" : refusedLink()} />;
  }
  if (data !== undefined) {
    if (!mayDo(data.scope, "review")) return <NoAccess identity={data} />;
    return <Identity.Provider value={data}>{children}</Identity.Provider>;
  }
  return (
    <Center h="100vh" p="md" component="main">
      {failureReason === null ? (
        <Loader aria-label="Loading" />
      ) : (
        <Stack>
          <Title order={1} size="h3">
            Tenterhook
          </Title>
          <ProblemState error={failureReason} retry={() => void refetch()} />
          {error === null && <Text size="sm">The page opens by itself when the coordinator responds.</Text>}
        </Stack>
      )}
    </Center>
  );
}

/** The sign-in page. Its code is loaded here: most users are signed in, and never need it. */
function SignIn({ reason }: SignInProps) {
  const [Page, setPage] = useState<ComponentType<SignInProps>>();
  const [error, setError] = useState<unknown>();
  useEffect(() => {
    import("./sign-in-page.tsx").then(({ SignInPage }) => setPage(() => SignInPage), setError);
  }, []);
  if (Page !== undefined) return <Page reason={reason} />;
  return (
    <Center h="100vh" p="md" component="main">
      {error === undefined ? (
        <Loader aria-label="Loading" />
      ) : (
        <ProblemState error={error} retry={() => location.reload()} />
      )}
    </Center>
  );
}

/** The coordinator redirects here, with the reason, when a sign-in link is refused. */
function refusedLink(): "used-link" | "unknown-link" | undefined {
  const reason = new URLSearchParams(location.search).get("link");
  return reason === "used" || reason === "unknown" ? `${reason}-link` : undefined;
}

/** Shown to a user without the permission to read: a runner's token. */
function NoAccess({ identity }: { readonly identity: ReturnType<typeof useIdentity> }) {
  const signOut = useSignOut();
  return (
    <Center mih="100vh" p="md" component="main">
      <EmptyState icon={IconEyeOff} title="This token cannot read the dashboard">
        <Stack align="center">
          <span>
            A token with the scope <Code>{identity.scope}</Code> can only execute runs. Sign in with a token
            that has the scope viewer, client, reviewer or admin.
          </span>
          <Button variant="default" onClick={() => void signOut()}>
            Use another token
          </Button>
        </Stack>
      </EmptyState>
    </Center>
  );
}
