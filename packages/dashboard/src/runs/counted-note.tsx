import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { queries } from "../api/queries.ts";
import { insightsQuery } from "../insights/insights-query.ts";
import { countedFilters, countedNumber } from "./counted.ts";
import { countedText } from "./counted-text.ts";
import { type RunFilters, runsQuery } from "./run-filters.ts";

/** Above a list that a number of the overview led to: what was counted, and how much of it has been removed since. */
export function CountedNote({ filters }: { readonly filters: RunFilters }) {
  const asked = countedFilters(filters);
  const insights = useQuery({ ...insightsQuery(asked ?? {}), enabled: asked !== undefined });
  const stored = useQuery({
    ...queries.runCount(runsQuery(filters), "", () => undefined),
    enabled: asked !== undefined,
  });
  if (asked === undefined || insights.data === undefined || stored.data === undefined) return null;
  if (insights.isPlaceholderData) return null;
  const counted = countedNumber(filters, insights.data);
  const text = counted === undefined ? undefined : countedText(filters, counted, stored.data);
  if (text === undefined) return null;
  return (
    <Text size="sm" mb="sm" role="status">
      {text}
    </Text>
  );
}
