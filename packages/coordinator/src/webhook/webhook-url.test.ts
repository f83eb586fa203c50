import { describe, expect, test } from "vitest";
import { hostOf, webhookUrl } from "./webhook-url.ts";

test.each([
  ["http://2130706433/", "127.0.0.1"],
  ["http://0177.0.0.1/", "127.0.0.1"],
  ["http://0x7f.1/", "127.0.0.1"],
  ["http://127.1./", "127.0.0.1"],
  ["http://１２７.0.0.1/", "127.0.0.1"],
  ["http://%31%32%37.0.0.1/", "127.0.0.1"],
  ["https://[0:0:0:0:0:ffff:127.0.0.1]/", "::ffff:7f00:1"],
  ["https://[::1]:8443/", "::1"],
  ["https://EXAMPLE.com/", "example.com"],
])("the host of %s is %s", (text, host) => {
  expect(hostOf(webhookUrl(text))).toBe(host);
});

describe("an address is refused", () => {
  test.each(["", "nonsense", "http://", "http://[fe80::1%25eth0]/", "http://256.1.1.1/", "http://a b/"])(
    "that is no URL: %j",
    (text) => {
      expect(() => webhookUrl(text)).toThrow("The webhook's address is not a URL.");
    },
  );

  test.each(["file:///etc/passwd", "ftp://example.com/", "javascript:alert(1)", "unix:/var/run/docker.sock"])(
    "that is not http: %s",
    (text) => {
      expect(() => webhookUrl(text)).toThrow(expect.objectContaining({ code: "bad_url" }));
    },
  );

  test.each(["http://ada:s3cret@example.com/", "http://s3cret@example.com/", "https://:s3cret@example.com/"])(
    "with credentials in it, which are not repeated: %s",
    (text) => {
      expect(() => webhookUrl(text)).toThrow(
        expect.objectContaining({ code: "bad_url", message: expect.not.stringContaining("s3cret") }),
      );
    },
  );
});

test("a redirect is relative to the URL that sent it, and its errors name it", () => {
  const from = new URL("https://example.com/a/b?c");
  expect(webhookUrl("../d", from).href).toBe("https://example.com/d");
  expect(webhookUrl("//other.example/d", from).href).toBe("https://other.example/d");
  expect(() => webhookUrl("file:///etc/passwd", from)).toThrow(
    "The address that https://example.com redirects to begins with file:",
  );
});
