import { QueryCache, QueryClient } from "@tanstack/react-query";
import { isProblem, isWorthRetrying } from "../api/problem-error.ts";
import { queries } from "../api/queries.ts";

/**
 * What has been read from the coordinator. Events tell when something has changed, so that little is stale by itself. A
 * session that has ended is noticed by whatever is read next, and leads to the way in.
 */
export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({
    onError(error, { queryKey }) {
      const who = queries.whoAmI();
      if (isProblem(error, "unauthenticated") && queryKey[0] !== who.queryKey[0]) {
        void queryClient.invalidateQueries(who);
      }
    },
  }),
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      retry: (failures, error) => failures < 3 && isWorthRetrying(error),
    },
    mutations: { retry: false },
  },
});
