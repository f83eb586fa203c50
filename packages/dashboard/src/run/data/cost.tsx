import { useQuery } from "@tanstack/react-query";
import { type CallUsage, costOf, costText } from "@tenterhook/protocol/runs";
import { queries } from "../../api/queries.ts";

/** What model calls cost, where the coordinator knows their prices. */
export function Cost({ calls }: { readonly calls: readonly CallUsage[] }) {
  const { data: prices } = useQuery({ ...queries.prices(), enabled: calls.length > 0 });
  const cost = prices === undefined ? undefined : costOf(calls, prices);
  return prices === undefined || cost === undefined ? null : `, ${costText(cost, prices.currency)}`;
}
