import { useMediaQuery } from "@mantine/hooks";

/** Whether lists are cards instead of tables, at the same width as in the style sheets. */
export function useIsNarrow(): boolean {
  return useMediaQuery("(max-width: 62em)", false, { getInitialValueInEffect: false });
}
