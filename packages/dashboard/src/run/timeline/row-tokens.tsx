import { Text } from "@mantine/core";
import { type CallUsage, tokensText, totalUsage } from "@tenterhook/protocol/runs";
import { Cost } from "../data/cost.tsx";

/** The tokens and the cost of model calls, a line for each model. */
export function RowTokens({ calls }: { readonly calls: readonly CallUsage[] }) {
  const models = [...new Set(calls.map(({ model = "" }) => model))];
  return models.map((model) => {
    const own = calls.filter((call) => (call.model ?? "") === model);
    const total = totalUsage(own);
    return (
      <Text key={model} size="sm">
        {model !== "" && `${model}: `}
        {total !== undefined && tokensText(total)}
        <Cost calls={own} />
      </Text>
    );
  });
}
