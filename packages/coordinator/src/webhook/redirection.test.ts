import { expect, test } from "vitest";
import { redirection } from "./redirection.ts";

const FROM = new URL("https://example.com/a/b?c");

test.each([
  ["/d", "https://example.com/d"],
  ["d", "https://example.com/a/d"],
  ["", "https://example.com/a/b?c"],
  ["//other.example/", "https://other.example/"],
  ["https://example.com:8443/", "https://example.com:8443/"],
])("%j leads to %s", (location, href) => {
  expect(redirection(FROM, { status: 308, location }).href).toBe(href);
});

test("https does not become http, on the same host or another; the reverse is welcome", () => {
  for (const location of ["http://example.com/a", "http://other.example/"]) {
    expect(() => redirection(FROM, { status: 307, location })).toThrow(
      expect.objectContaining({
        code: "redirect_refused",
        message: "https://example.com redirected from https to http.",
      }),
    );
  }
  const plain = new URL("http://example.com/");
  expect(redirection(plain, { status: 307, location: FROM.href }).href).toBe(FROM.href);
});
