import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { signature } from "./signature.ts";
import { verifyWebhook } from "./verify-webhook.ts";

const KEY = "whsec-k3y";
const BODY = '{"run_id":"r-1"}';
const SENT = "1900000000";
const now = () => 1_900_000_000_000;

const genuine = { "tenterhook-timestamp": SENT, "tenterhook-signature": signature(KEY, SENT, BODY) };

test("the signature is what any other HMAC-SHA-256 makes of time, dot and body", () => {
  // printf '1900000000.{"run_id":"r-1"}' | openssl dgst -sha256 -hmac whsec-k3y
  expect(genuine["tenterhook-signature"]).toBe(
    "v1=426e9014bc106a3757bacd500fe2269c209db3327e6990d4eff37082ec722a3d",
  );
});

describe("a genuine webhook is recognised", () => {
  test.each([
    ["by the headers of node:http", genuine],
    ["by the headers of fetch", new Headers(genuine)],
    [
      "by headers in capitals",
      { "Tenterhook-Timestamp": SENT, "TENTERHOOK-SIGNATURE": genuine["tenterhook-signature"] },
    ],
  ])("%s", (_, headers) => {
    expect(verifyWebhook(headers, BODY, KEY, { now })).toBe(true);
    expect(verifyWebhook(headers, Buffer.from(BODY), KEY, { now })).toBe(true);
  });

  test("whatever its body is", () => {
    fc.assert(
      fc.property(fc.uint8Array(), (body) => {
        const headers = { ...genuine, "tenterhook-signature": signature(KEY, SENT, body) };
        expect(verifyWebhook(headers, body, KEY, { now })).toBe(true);
      }),
    );
  });
});

describe("a webhook is not recognised", () => {
  test.each([
    ["with another body", genuine, '{"run_id":"r-2"}', KEY],
    ["with a body that was parsed and printed again", genuine, '{ "run_id": "r-1" }', KEY],
    ["with another key", genuine, BODY, "whsec-other"],
    ["without a signature", { "tenterhook-timestamp": SENT }, BODY, KEY],
    ["without a time", { "tenterhook-signature": genuine["tenterhook-signature"] }, BODY, KEY],
    ["with another time", { ...genuine, "tenterhook-timestamp": "1900000001" }, BODY, KEY],
    ["with a time that is no number", { ...genuine, "tenterhook-timestamp": "NaN" }, BODY, KEY],
    ["with a signature of nothing", { ...genuine, "tenterhook-signature": "v1=" }, BODY, KEY],
    ["with half a signature", { ...genuine, "tenterhook-signature": "v1=abcdef" }, BODY, KEY],
    [
      "with two signatures",
      { ...genuine, "tenterhook-signature": [genuine["tenterhook-signature"], "v1=x"] },
      BODY,
      KEY,
    ],
    ["with two times, in different letters", { ...genuine, "Tenterhook-Timestamp": SENT }, BODY, KEY],
  ])("%s", (_, headers, body, key) => {
    expect(verifyWebhook(headers, body, key, { now })).toBe(false);
  });

  test.each([301, -301])("when the clocks are %i seconds apart", (seconds) => {
    const later = () => now() + seconds * 1_000;
    expect(verifyWebhook(genuine, BODY, KEY, { now: later })).toBe(false);
    expect(verifyWebhook(genuine, BODY, KEY, { now: later, toleranceSeconds: 302 })).toBe(true);
  });

  test("when the tolerance is no number", () => {
    expect(verifyWebhook(genuine, BODY, KEY, { now, toleranceSeconds: Number.NaN })).toBe(false);
  });
});

describe("while one key takes the place of another", () => {
  const both = {
    ...genuine,
    "tenterhook-signature": `${signature("whsec-new", SENT, BODY)} ${signature(KEY, SENT, BODY)}`,
  };

  test.each([KEY, "whsec-new", [KEY, "whsec-new"], ["whsec-new", "whsec-other"]])(
    "a webhook with both signatures is recognised by %j",
    (key) => expect(verifyWebhook(both, BODY, key, { now })).toBe(true),
  );

  test("a webhook with one signature is recognised by a receiver that knows both keys", () => {
    expect(verifyWebhook(genuine, BODY, ["whsec-new", KEY], { now })).toBe(true);
  });

  test("a webhook of neither key is not recognised, whatever else its header holds", () => {
    expect(verifyWebhook(both, BODY, ["a", "b"], { now })).toBe(false);
    const padded = {
      ...genuine,
      "tenterhook-signature": `${"x ".repeat(5_000)}${genuine["tenterhook-signature"]}`,
    };
    expect(verifyWebhook(padded, BODY, KEY, { now })).toBe(false);
    const joined = { ...genuine, "tenterhook-signature": `v1=x, ${genuine["tenterhook-signature"]}` };
    expect(verifyWebhook(joined, `${BODY} `, KEY, { now })).toBe(false);
  });

  test("no key is a mistake", () => {
    expect(() => verifyWebhook(genuine, BODY, [], { now })).toThrow(TypeError);
    expect(() => verifyWebhook(genuine, BODY, [KEY, ""], { now })).toThrow(TypeError);
  });
});

test("an empty key is a mistake and not a key", () => {
  const forged = { ...genuine, "tenterhook-signature": `v1=${"0".repeat(64)}` };
  expect(() => verifyWebhook(forged, BODY, "", { now })).toThrow(TypeError);
});
