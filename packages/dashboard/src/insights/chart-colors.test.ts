import { describe, expect, test } from "vitest";
import { CHART_COLORS } from "./chart-colors.ts";

/** The page behind the charts. */
const BACKGROUNDS = { light: "#ffffff", dark: "#242424" } as const;

/** How a colour in linear RGB looks: to most people, and by Machado and others (2009) without one kind of cone. */
const SIGHTS = {
  usual: [1, 0, 0, 0, 1, 0, 0, 0, 1],
  protanopia: [0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998],
  deuteranopia: [0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.01182, 0.04294, 0.968881],
  tritanopia: [1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.3039],
} as const;

type Triple = readonly [number, number, number];

describe.each(["light", "dark"] as const)("the colours of charts on %s", (scheme) => {
  const colors = Object.entries(CHART_COLORS[scheme]);

  test.each(colors)("have enough contrast with the page: %s", (_name, color) => {
    const [one, other] = [luminance(linear(color)), luminance(linear(BACKGROUNDS[scheme]))];
    expect((Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05)).toBeGreaterThan(3);
  });

  test.each(Object.entries(SIGHTS))("differ with %s", (_sight, matrix) => {
    const seen = colors.map(([name, color]) => [name, lab(apply(matrix, linear(color)))] as const);
    const alike = seen.flatMap(([name, one], index) =>
      seen
        .slice(index + 1)
        .filter(([, other]) => Math.hypot(...one.map((part, axis) => part - (other[axis] ?? 0))) < 25)
        .map(([other]) => `${name} and ${other}`),
    );
    expect(alike).toEqual([]);
  });
});

function linear(color: string): Triple {
  const part = (start: number) => {
    const value = Number.parseInt(color.slice(start, start + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return [part(1), part(3), part(5)];
}

function luminance([red, green, blue]: Triple): number {
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function apply(matrix: readonly number[], [red, green, blue]: Triple): Triple {
  const row = (start: number) => {
    const [r = 0, g = 0, b = 0] = matrix.slice(start, start + 3);
    return Math.min(1, Math.max(0, r * red + g * green + b * blue));
  };
  return [row(0), row(3), row(6)];
}

/** In CIE L*a*b*, where distances are about as large as they look. */
function lab([red, green, blue]: Triple): Triple {
  const root = (value: number) => (value > 0.008856 ? Math.cbrt(value) : 7.787 * value + 16 / 116);
  const x = root((0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.95047);
  const y = root(luminance([red, green, blue]));
  const z = root((0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.08883);
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}
