import { expect, test } from "vitest";
import { redirectTarget } from "./redirect-target.ts";

const FROM = new URL("https://example.com/a/b?c");

test.each([
  ["/d", "https://example.com/d"],
  ["d", "https://example.com/a/d"],
  ["", "https://example.com/a/b?c"],
  ["//other.example/", "https://other.example/"],
  ["https://example.com:8443/", "https://example.com:8443/"],
])("%j leads to %s", (location, href) => {
  expect(redirectTarget(FROM, { status: 308, location }).href).toBe(href);
});

test("https does not become http, on the same host or another; the reverse is welcome", () => {
  for (const location of ["http://example.com/a", "http://other.example/"]) {
    expect(() => redirectTarget(FROM, { status: 307, location })).toThrow(
      expect.objectContaining({
        code: "redirect_refused",
        message: "https://example.com redirected from https to http.",
      }),
    );
  }
  const plain = new URL("http://example.com/");
  expect(redirectTarget(plain, { status: 307, location: FROM.href }).href).toBe(FROM.href);
});
