import { WebhookFailure } from "./webhook-failure.ts";

const MESSAGES: Readonly<Record<string, string>> = {
  ECONNREFUSED: "connection refused",
  ECONNRESET: "the connection broke off",
  EPIPE: "the connection broke off",
  ETIMEDOUT: "connection timed out",
  EHOSTUNREACH: "no route to the host",
  ENETUNREACH: "no route to the host",
};

const NOT_HTTP = /^HPE_/;
const CERTIFICATE = /CERT|^UNABLE_TO_/;

/** The failure of a connection, by the code of its error: the message may contain parts of the request. */
export function connectionFailure(error: unknown, origin: string): WebhookFailure {
  const code = readCode(error);
  if (code === "HPE_HEADER_OVERFLOW") {
    return new WebhookFailure("response_too_large", `${origin} answered with more headers than the limit.`);
  }
  if (NOT_HTTP.test(code)) {
    return new WebhookFailure(
      "bad_response",
      `${origin} answered with something that is not HTTP (${code}).`,
    );
  }
  const isCertificate = CERTIFICATE.test(code);
  const message = isCertificate
    ? "its certificate is not trusted"
    : (MESSAGES[code] ?? "the connection failed");
  return new WebhookFailure("connection_failed", `${origin} could not be called: ${message} (${code}).`, {
    // A retry would get the same certificate.
    isRetryable: !isCertificate,
  });
}

/** A host with several addresses fails with an error for each of them; the first one is reported. */
function readCode(error: unknown): string {
  const { code, errors } = Object(error) as { code?: unknown; errors?: readonly unknown[] };
  if (typeof code === "string") return code;
  return errors?.[0] === undefined ? "unknown error" : readCode(errors[0]);
}
