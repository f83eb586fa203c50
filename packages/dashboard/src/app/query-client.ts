import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { isProblem, isWorthRetrying } from "../api/problem.ts";
import { queries } from "../api/queries.ts";

/** How soon a failed reading of what is shown is repeated, after its retries. */
const REPEAT_MS = 10_000;

/**
 * The cache of responses. Events invalidate what has changed, so little becomes stale by time alone. When a session has ended,
 * the next request fails and the sign-in page is shown.
 */
export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({
    onError(error, { queryKey }) {
      if (queryKey[0] !== queries.whoAmI().queryKey[0]) handleSessionEnd(error);
    },
  }),
  mutationCache: new MutationCache({
    onError(error, _variables, _result, { meta }) {
      if (meta?.isSignIn !== true) handleSessionEnd(error);
    },
  }),
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      // The coordinator may be on this machine, which needs no network.
      networkMode: "always",
      retry: (failures, error) => failures < 3 && isWorthRetrying(error),
      // What is shown may be old when its last reading failed, and no event may come to read it again.
      refetchInterval: ({ state: { data, error } }) =>
        data !== undefined && error !== null && isWorthRetrying(error) ? REPEAT_MS : false,
    },
    mutations: { retry: false, networkMode: "always" },
  },
});

function handleSessionEnd(error: unknown): void {
  if (isProblem(error, "unauthenticated")) void queryClient.invalidateQueries(queries.whoAmI());
}
