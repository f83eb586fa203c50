import { useQuery } from "@tanstack/react-query";
import { type CallUsage, costOf, costText } from "@tenterhook/protocol/runs";
import { queries } from "../../api/queries.ts";

/** What model calls cost: `$0.012`. Undefined where the coordinator does not know their prices. */
export function useCost(calls: readonly CallUsage[]): string | undefined {
  const { data: prices } = useQuery({ ...queries.prices(), enabled: calls.length > 0 });
  const cost = prices === undefined ? undefined : costOf(calls, prices);
  return prices === undefined || cost === undefined ? undefined : costText(cost, prices.currency);
}

/** The cost of model calls, after their tokens. */
export function Cost({ calls }: { readonly calls: readonly CallUsage[] }) {
  const cost = useCost(calls);
  return cost === undefined ? null : `, ${cost}`;
}
