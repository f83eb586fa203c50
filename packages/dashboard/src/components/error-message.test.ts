import { RequestError } from "@tenterhook/client";
import { expect, test } from "vitest";
import { errorMessage } from "./error-message.ts";

test.each([
  [
    "that was not answered",
    new RequestError("coordinator_unreachable", "the coordinator cannot be reached"),
    "The coordinator does not respond.",
  ],
  [
    "that took too long",
    new RequestError("request_timeout", "no response within 5 ms"),
    "The coordinator does not respond.",
  ],
  [
    "that failed without an explanation",
    new RequestError("bad_response", "a response of status 500", { status: 500 }),
    "The response was HTTP 500, without an explanation. See the log of the coordinator, or of a proxy in front of it.",
  ],
  [
    "whose response is not JSON",
    new RequestError("bad_response", "the body of a response of status 200 is not JSON", { status: 200 }),
    "The body of a response of status 200 is not JSON.",
  ],
  [
    "that was refused",
    new RequestError("conflict", "it is over", {
      status: 409,
      problem: {
        type: "about:blank",
        code: "conflict",
        title: "Conflict",
        status: 409,
        detail: "it is over",
        hint: "Read it again",
      },
    }),
    "It is over. Read it again.",
  ],
])("a request %s has its own message", (_, error, message) => expect(errorMessage(error)).toBe(message));
