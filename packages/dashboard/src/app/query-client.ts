import { MutationCache, QueryCache, QueryClient } from "@tanstack/react-query";
import { isProblem, isWorthRetrying } from "../api/problem-error.ts";
import { queries } from "../api/queries.ts";

/**
 * What has been read from the coordinator. Events tell when something has changed, so that little is stale by itself. A
 * session that has ended is noticed by whatever is read next, and leads to the way in.
 */
export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({
    onError(error, { queryKey }) {
      if (queryKey[0] !== queries.whoAmI().queryKey[0]) noticeEnd(error);
    },
  }),
  mutationCache: new MutationCache({ onError: noticeEnd }),
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      retry: (failures, error) => failures < 3 && isWorthRetrying(error),
    },
    mutations: { retry: false },
  },
});

function noticeEnd(error: unknown): void {
  if (isProblem(error, "unauthenticated")) void queryClient.invalidateQueries(queries.whoAmI());
}
