import { Center, Loader } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { mayDo } from "@tenterhook/protocol/runs";
import { type ReactNode, useEffect, useRef } from "react";
import { isProblem } from "../api/problem-error.ts";
import { queries } from "../api/queries.ts";
import { ProblemState } from "../parts/problem-state.tsx";
import { Identity } from "./identity.ts";
import { LoginPage } from "./login-page.tsx";
import { NothingToSee } from "./nothing-to-see.tsx";

/** Shows the page to whoever may see it, and the way in to everybody else. The address stays as it is meanwhile. */
export function Gate({ children }: { readonly children: ReactNode }) {
  const { data, error, refetch } = useQuery(queries.whoAmI());
  const wasIn = useRef(false);
  useEffect(() => {
    if (data !== undefined && error === null) wasIn.current = true;
  }, [data, error]);
  if (isProblem(error, "unauthenticated")) {
    return <LoginPage why={wasIn.current ? "ended" : isUsedLink() ? "used-link" : undefined} />;
  }
  if (data !== undefined) {
    if (!mayDo(data.scope, "look")) return <NothingToSee identity={data} />;
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

/** Where the coordinator sends whoever opened a link that works no more. */
function isUsedLink(): boolean {
  return new URLSearchParams(location.search).get("link") === "used";
}
