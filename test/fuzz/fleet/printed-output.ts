import fc from "fast-check";
import { mutated, mutation } from "../mutate-json.ts";
import { oddJson, oddText, writeOut } from "../odd-values.ts";

/** What a program prints: a text with the names of `writeOut`, or bytes. */
export type PrintedOutput =
  | { readonly text: string; readonly encoding: "utf8" | "utf16le" | "latin1" }
  | { readonly bytes: string };

/** Texts around a JSON value, bytes that are no text, and much of either. */
export const printedOutput: fc.Arbitrary<PrintedOutput> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      text: fc
        .tuple(
          fc.constantFrom("", "", "", "log line\n", "\uFEFF", "\u001b[32m", "[", "{"),
          fc.oneof(
            oddJson.map((value) => JSON.stringify(value)),
            fc
              .tuple(
                fc.constant({ count: 1, list: [{ a: "b" }], nothing: null }),
                fc.array(mutation, { maxLength: 3 }),
              )
              .map(([value, mutations]) => JSON.stringify(mutated(value, mutations)) ?? ""),
            oddText,
          ),
          fc.constantFrom("", "", "", "\n", "}", "\0", "\u001b[0m\n"),
        )
        .map((parts) => parts.join("")),
      encoding: fc.constantFrom("utf8", "utf8", "utf8", "utf16le", "latin1"),
    }),
  },
  {
    weight: 1,
    arbitrary: fc
      .uint8Array({ maxLength: 64 })
      .map((bytes) => ({ bytes: Buffer.from(bytes).toString("hex") })),
  },
  { weight: 1, arbitrary: fc.constant({ text: "@@letters:2000000@@", encoding: "utf8" as const }) },
);

export function bytesOf(printed: PrintedOutput): Buffer {
  if ("bytes" in printed) return Buffer.from(printed.bytes, "hex");
  return Buffer.from(writeOut(printed.text), printed.encoding);
}
