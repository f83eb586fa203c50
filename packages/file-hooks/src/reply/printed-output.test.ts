import fc from "fast-check";
import { expect, test } from "vitest";
import { threadTimeMs } from "../../../engine/src/match/thread-time.ts";
import { PrintedOutput } from "./printed-output.ts";
import { readOutput } from "./read-reply.ts";

const MEBIBYTE = 1024 * 1024;
const DENY = '{"decision":"deny","reason":"not on my watch"}';

function read(chunks: Iterable<Buffer>) {
  const output = new PrintedOutput(MEBIBYTE, 64 * 1024);
  for (const chunk of chunks) output.add(chunk);
  return readOutput(output.printed);
}

/** In chunks, as a pipe delivers it. */
function* chunked(bytes: Buffer, size = 65_536): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

const NO_BYTES = Buffer.alloc(0);

const ENCODINGS: Readonly<Record<string, (text: string) => Buffer>> = {
  "UTF-8": (text) => Buffer.from(text),
  "UTF-16, little end first": (text) => Buffer.from(text, "utf16le"),
  "UTF-16, big end first": (text) => Buffer.from(text, "utf16le").swap16(),
};

const LINES = {
  words: "chatter about a decision\n",
  "one line": "chatter ",
  JSON: '{"level":"info","msg":"checked {1} rule"}\n',
  brackets: "[ 1, { x }, [ \n",
  "an array without end": '{"name":"a test","ok":true},',
  "quotes without end": '{"a ',
  colours: "\u001b[32m✓\u001b[39m done\n",
};

const cases = Object.entries(LINES).map(
  ([kind, line], index) => [Object.keys(ENCODINGS)[index % 3] ?? "", kind, line] as const,
);

test.each(cases)("a denial in %s is found anywhere in 2.5 MiB of %s", (encoding, kind, line) => {
  const encode = ENCODINGS[encoding];
  if (encode === undefined) throw new Error("no such encoding");
  const noise = Buffer.from(
    (kind === "an array without end" ? "[" : "") + line.repeat((2.5 * MEBIBYTE) / line.length),
  );
  // Around the ends of blocks, and far from them.
  for (const at of [MEBIBYTE - 20, MEBIBYTE + 400_001, 2 * MEBIBYTE - 9]) {
    const bytes = Buffer.concat([noise.subarray(0, at), encode(` \n${DENY} \n`), noise.subarray(at)]);
    expect([at, read(chunked(bytes)).decision]).toEqual([at, "deny"]);
  }
});

test("a denial is found wherever the chunks of a long output are cut", () => {
  const noise = Buffer.from("chatter\n".repeat(150_000));
  const part = fc.constantFrom(...Object.values(ENCODINGS).map((encode) => encode(` \n${DENY}\n `)));
  fc.assert(
    fc.property(
      part,
      fc.integer({ min: 0, max: noise.length }),
      fc.integer({ min: 9_973, max: 200_000 }),
      (denial, at, size) => {
        const bytes = Buffer.concat([noise.subarray(0, at), denial, noise.subarray(at), noise]);
        expect(read(chunked(bytes, size)).decision).toBe("deny");
      },
    ),
    { numRuns: 30 },
  );
});

test("a denial beside text and bytes in any encoding is a refusal or a failure", () => {
  const encode = fc.constantFrom(...Object.values(ENCODINGS));
  const noise = fc.oneof(
    fc.tuple(fc.string({ unit: "grapheme", maxLength: 200 }), encode).map(([text, to]) => to(text)),
    fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
    fc.constantFrom("fffe", "feff", "efbbbf", "00", "ff").map((bytes) => Buffer.from(bytes, "hex")),
  );
  const parts = fc.tuple(fc.array(noise, { maxLength: 3 }), encode, fc.array(noise, { maxLength: 3 }));
  fc.assert(
    fc.property(parts, ([before, to, after]) => {
      const { decision, unreadable } = read([Buffer.concat([...before, to(DENY), ...after])]);
      expect(decision === "deny" || unreadable !== undefined).toBe(true);
    }),
    { numRuns: 1_000 },
  );
});

test("UTF-16 and UTF-8 of one text get one verdict", () => {
  const objects = fc.constantFrom<object>(
    { rules: [{ permission: "deny" }] },
    { decision: "allow" },
    { log: "x", result: { continue: false } },
    { decision: "deny" },
  );
  const text = fc
    .array(
      fc.oneof(
        fc.string(),
        fc.json(),
        objects.map((object) => JSON.stringify(object)),
      ),
      { maxLength: 5 },
    )
    .map((parts) => parts.join(""));
  fc.assert(
    fc.property(text, (printed) => {
      const [first, ...others] = Object.values(ENCODINGS).map((encode) => {
        const { decision = "allow", unreadable } = read([encode(`\uFEFF${printed}`)]);
        return decision === "allow" && unreadable !== undefined ? "failure" : decision;
      });
      expect(others).toEqual([first, first]);
    }),
    { numRuns: 2_000 },
  );
});

test("a denial in UTF-16 beside text in UTF-8 keeps its reason, whatever letters it has", () => {
  const encode = fc.constantFrom(ENCODINGS["UTF-16, little end first"], ENCODINGS["UTF-16, big end first"]);
  const words = fc.constantFrom("", "]", "checked\n", "checked ∈ 1", "done");
  const reasons = fc.string({ unit: "grapheme", minLength: 1, maxLength: 30 });
  fc.assert(
    fc.property(encode, words, words, reasons, (to, before, after, reason) => {
      const denial = JSON.stringify({ decision: "deny", reason });
      const bytes = Buffer.concat([Buffer.from(before), to?.(denial) ?? NO_BYTES, Buffer.from(after)]);
      expect(read([bytes]).decision).toBe("deny");
    }),
    { numRuns: 1_000 },
  );
});

test("no change is taken from UTF-16 with a byte of other text behind it", () => {
  const change = Buffer.from(JSON.stringify({ modified_input: { command: "ls" } }), "utf16le");
  expect(read([change]).extras).toHaveProperty("modified_input");
  expect(read([change, Buffer.from("]")])).toMatchObject({ extras: {}, unreadable: expect.any(String) });
});

test("a denial in UTF-16 is found where a chunk of a long output cuts its first character", () => {
  const denial = Buffer.from(JSON.stringify({ decision: "deny", reason: "就" }), "utf16le");
  const noise = Buffer.from("chatter\n".repeat(200_000));
  expect(read([noise, denial.subarray(0, 1), denial.subarray(1), noise]).decision).toBe("deny");
});

test("bytes that are not UTF-8 count for nothing between the words of an answer, in its keys and in its decision", () => {
  fc.assert(
    fc.property(fc.subarray([0, 1, 2, 3, 4, 5, 6]), fc.constantFrom(0xff, 0xc3), (places, byte) => {
      const parts = ["{", '"deci', 'sion"', ":", '"de', 'ny"', "}"];
      const bytes = parts.flatMap((part, at) => [
        Buffer.from(part),
        places.includes(at) ? Buffer.from([byte]) : NO_BYTES,
      ]);
      expect(read([Buffer.concat(bytes)]).decision).toBe("deny");
    }),
  );
});

test("a denial in an array that is longer than an answer may be is found where a block ends", () => {
  const item = '{"name":"a test","ok":true},';
  const before = `[${item.repeat((2 * MEBIBYTE) / item.length - 1)}`.padEnd(2 * MEBIBYTE - 20);
  const text = `${before}${DENY},${item.repeat(1_000)}`;
  expect(read(chunked(Buffer.from(text))).decision).toBe("deny");
});

test("a broken denial is named wherever it stands in a long output", () => {
  const noise = "chatter\n".repeat(150_000);
  for (const at of [0, 131_071, 131_072, 140_000, 149_999]) {
    const text = `${noise.slice(0, at * 8)}${DENY.slice(0, -1)}\n${noise.slice(at * 8)}${noise}`;
    expect([at, read(chunked(Buffer.from(text))).unreadable]).toEqual([
      at,
      expect.stringContaining("looks like an answer"),
    ]);
  }
});

test("a denial that is longer than an answer may be is named, and not passed over", () => {
  const long = JSON.stringify({ log: "x".repeat(3 * MEBIBYTE), decision: "deny" });
  expect(read(chunked(Buffer.from(`checking\n${long}\ndone`))).unreadable).toContain("looks like an answer");
});

test.each([
  ["allows among lines", '{"decision":"allow"}\n'],
  ["lines that begin with a decision", "decision: stopped working\ndecision: denying nothing\n"],
  ["a test report", 'PASS { ok } [1/3] "a decision to deny" {"numFailedTests":0}\n'],
  ["one long line", "decision: stopped working, "],
])("3 MiB of %s decide nothing", (_what, line) => {
  const { decision = "allow", unreadable } = read(
    chunked(Buffer.from(`> test\n${line.repeat((3 * MEBIBYTE) / line.length)}`)),
  );
  expect([decision, unreadable]).toEqual(["allow", undefined]);
});

test("8 MiB of bytes that could be of any encoding are searched in linear time and bounded memory", () => {
  const bytes = Buffer.from(Array.from({ length: MEBIBYTE }, (_, at) => (at * at * 7) >> 3));
  const startedAt = threadTimeMs();
  function* many() {
    for (let times = 0; times < 8; times++) yield* chunked(bytes);
  }
  expect(read(many())).toMatchObject({ extras: {} });
  expect(threadTimeMs() - startedAt).toBeLessThan(12_000);
});
