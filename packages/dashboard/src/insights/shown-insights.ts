import type { Insights } from "@tenterhook/protocol/runs";
import { createContext, useContext } from "react";

const ShownInsights = createContext<Insights | undefined>(undefined);

/** The numbers of a page, for what its links say about them. */
export const InsightsProvider = ShownInsights.Provider;

/** Undefined outside of a page with numbers. */
export function useInsights(): Insights | undefined {
  return useContext(ShownInsights);
}
