import { expect, test } from "vitest";
import { connectionFailure } from "./connection-failure.ts";

const failed = (code: string) => Object.assign(new Error(`${code} s3cret`), { code });

test.each([
  [failed("ECONNREFUSED"), "connection_failed", true, "connection refused (ECONNREFUSED)"],
  [failed("ENETUNREACH"), "connection_failed", true, "no route to the host (ENETUNREACH)"],
  [failed("EPROTO"), "connection_failed", true, "the connection failed (EPROTO)"],
  [failed("CERT_HAS_EXPIRED"), "connection_failed", false, "its certificate is not trusted"],
  [failed("ERR_TLS_CERT_ALTNAME_INVALID"), "connection_failed", false, "its certificate is not trusted"],
  [failed("UNABLE_TO_VERIFY_LEAF_SIGNATURE"), "connection_failed", false, "its certificate is not trusted"],
  [failed("HPE_INVALID_CONSTANT"), "bad_response", false, "not HTTP (HPE_INVALID_CONSTANT)"],
  [failed("HPE_HEADER_OVERFLOW"), "response_too_large", false, "more headers than the limit"],
  [new AggregateError([failed("ETIMEDOUT"), failed("ENETUNREACH")]), "connection_failed", true, "ETIMEDOUT"],
  [new AggregateError([]), "connection_failed", true, "the connection failed (unknown error)"],
  ["thrown", "connection_failed", true, "the connection failed (unknown error)"],
])("%s is a %s that is retryable: %s", (error, code, isRetryable, words) => {
  const failure = connectionFailure(error, "https://example.com");
  expect(failure).toMatchObject({ code, isRetryable, message: expect.stringContaining(words) });
  expect(failure.message).not.toContain("s3cret");
});
