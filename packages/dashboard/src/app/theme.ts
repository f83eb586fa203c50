import { type CSSVariablesResolver, createTheme } from "@mantine/core";

/** Muted colours, so that a red badge stands out; dark enough for white text on them, and as text on white. */
export const theme = createTheme({
  primaryColor: "cyan",
  primaryShade: 9,
  // White text on lighter colours has too little contrast.
  autoContrast: true,
  luminanceThreshold: 0.18,
  fontFamily: "'Inter Variable', system-ui, sans-serif",
  fontFamilyMonospace: "'JetBrains Mono Variable', ui-monospace, monospace",
  headings: { fontFamily: "'Inter Variable', system-ui, sans-serif", fontWeight: "650" },
  defaultRadius: "md",
  cursorType: "pointer",
  respectReducedMotion: true,
});

/** Replaces colours of the library that have too little contrast: dimmed text, yellow titles, and text on light badges. */
export const readableColors: CSSVariablesResolver = ({ colors }) => ({
  variables: {},
  light: {
    "--mantine-color-dimmed": "var(--mantine-color-gray-7)",
    "--mantine-color-yellow-outline": "color-mix(in srgb, var(--mantine-color-yellow-9) 65%, black)",
    ...Object.fromEntries(
      Object.keys(colors).map((name) => [
        `--mantine-color-${name}-light-color`,
        `color-mix(in srgb, var(--mantine-color-${name}-9) 65%, black)`,
      ]),
    ),
  },
  dark: { "--mantine-color-dimmed": "var(--mantine-color-dark-1)" },
});
