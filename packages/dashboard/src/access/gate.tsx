import { Center, Loader } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { mayDo } from "@tenterhook/protocol/runs";
import { type ReactNode, useEffect, useRef } from "react";
import { isProblem } from "../api/problem-error.ts";
import { queries } from "../api/queries.ts";
import { ProblemState } from "../components/problem-state.tsx";
import { Identity } from "./identity.ts";
import { SignInPage } from "./login-page.tsx";
import { NoAccess } from "./no-access.tsx";

/** Shows the page to users who may read it, and the sign-in page to all others. The address does not change. */
export function Gate({ children }: { readonly children: ReactNode }) {
  const { data, error, refetch } = useQuery(queries.whoAmI());
  const wasSignedIn = useRef(false);
  useEffect(() => {
    if (data !== undefined && error === null) wasSignedIn.current = true;
  }, [data, error]);
  if (isProblem(error, "unauthenticated")) {
    return <SignInPage reason={wasSignedIn.current ? "ended" : isUsedLink() ? "used-link" : undefined} />;
  }
  if (data !== undefined) {
    if (!mayDo(data.scope, "look")) return <NoAccess identity={data} />;
    return <Identity.Provider value={data}>{children}</Identity.Provider>;
  }
  return (
    <Center h="100vh" p="md">
      {error === null ? (
        <Loader aria-label="Loading" />
      ) : (
        <ProblemState error={error} retry={() => void refetch()} />
      )}
    </Center>
  );
}

/** The coordinator redirects here when a sign-in link was used before or has expired. */
function isUsedLink(): boolean {
  return new URLSearchParams(location.search).get("link") === "used";
}
