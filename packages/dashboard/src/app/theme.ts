import { createTheme } from "@mantine/core";

/** Quiet colours, so that a red badge is what one sees. */
export const theme = createTheme({
  primaryColor: "cyan",
  primaryShade: 9,
  // On anything lighter than this, white is too faint to read.
  autoContrast: true,
  luminanceThreshold: 0.18,
  fontFamily: "'Inter Variable', system-ui, sans-serif",
  fontFamilyMonospace: "'JetBrains Mono Variable', ui-monospace, monospace",
  headings: { fontFamily: "'Inter Variable', system-ui, sans-serif", fontWeight: "650" },
  defaultRadius: "md",
  cursorType: "pointer",
});
