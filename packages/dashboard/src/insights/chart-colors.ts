/**
 * The colours of charts. People with any of the three kinds of colour blindness can tell each from every other, and each has enough
 * contrast with the page; the test computes both. `strong` is black on white and white on black.
 */
export const CHART_COLORS = {
  light: {
    gray: "#8a94a2",
    blue: "#0d9be9",
    orange: "#e65717",
    purple: "#821384",
    strong: "#17191c",
    green: "#20624c",
    brown: "#543e05",
  },
  dark: {
    gray: "#6a6f74",
    blue: "#3e72ee",
    orange: "#b25e09",
    purple: "#e885e0",
    strong: "#f9fafa",
    green: "#15e182",
    brown: "#cfc10d",
  },
} as const;

export type ChartColor = keyof (typeof CHART_COLORS)["light"];

/** The order for things without a meaning of their own, such as models. */
export const PLAIN_COLORS: readonly ChartColor[] = [
  "blue",
  "orange",
  "green",
  "purple",
  "brown",
  "strong",
  "gray",
];
