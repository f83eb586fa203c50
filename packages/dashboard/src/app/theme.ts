import { type CSSVariablesResolver, createTheme } from "@mantine/core";

/** Quiet colours, so that a red badge is what one sees; dark enough for white text on them, and as text on white. */
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

/** Where the library's own colours are too faint to be read by everybody: dimmed text, and text on light badges. */
export const readableColors: CSSVariablesResolver = ({ colors }) => ({
  variables: {},
  light: {
    "--mantine-color-dimmed": "var(--mantine-color-gray-7)",
    ...Object.fromEntries(
      Object.keys(colors).map((name) => [
        `--mantine-color-${name}-light-color`,
        `color-mix(in srgb, var(--mantine-color-${name}-9) 65%, black)`,
      ]),
    ),
  },
  dark: { "--mantine-color-dimmed": "var(--mantine-color-dark-1)" },
});
