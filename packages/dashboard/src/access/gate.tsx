import { Center, Loader } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { isProblem } from "../api/problem-error.ts";
import { queries } from "../api/queries.ts";
import { ProblemState } from "../parts/problem-state.tsx";
import { Identity } from "./identity.ts";
import { LoginPage } from "./login-page.tsx";

/** Shows the page to whoever may see it, and the way in to everybody else. */
export function Gate({ children }: { readonly children: ReactNode }) {
  const { data, error, refetch } = useQuery(queries.whoAmI());
  if (isProblem(error, "unauthenticated")) return <LoginPage />;
  if (data !== undefined) return <Identity.Provider value={data}>{children}</Identity.Provider>;
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
