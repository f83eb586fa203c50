import { createTheme } from "@mantine/core";

/** Quiet colours, so that a red badge is what one sees. */
export const theme = createTheme({
  primaryColor: "cyan",
  primaryShade: { light: 8, dark: 7 },
  // White on cyan is too faint to read; the library knows better.
  autoContrast: true,
  luminanceThreshold: 0.32,
  fontFamily: "'Inter Variable', system-ui, sans-serif",
  fontFamilyMonospace: "'JetBrains Mono Variable', ui-monospace, monospace",
  headings: { fontFamily: "'Inter Variable', system-ui, sans-serif", fontWeight: "650" },
  defaultRadius: "md",
  cursorType: "pointer",
});
