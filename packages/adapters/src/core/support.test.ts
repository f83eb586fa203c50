import { describe, expect, test } from "vitest";
import { support } from "../ai-sdk/support.ts";
import { checkPeerOnce, isFrom } from "./support.ts";

describe("checkPeerOnce", () => {
  test("reads the version that is installed, and warns each adapter that asks", () => {
    const warnings: string[] = [];
    const warn = (message: string) => void warnings.push(message);
    for (const name of ["vitest", "not-installed", "vitest"])
      checkPeerOnce({ peer: { package: name, range: "^0.1.0", versions: ["0.1.0"] } }, warn);
    checkPeerOnce(support, warn);
    expect(warnings).toEqual(Array(2).fill(expect.stringMatching(/was not tested with vitest \d/)));
  });

  test.each([
    ["1.2.0", "1.2.0", true],
    ["1.2.0", "1.10.0", true],
    ["1.2.0", "1.9.0", true],
    ["1.2.0", "2.0.0", false],
    ["1.2.0", "1.1.9", false],
    ["1.2.3", "1.2.2", false],
    ["0.20.1", "0.20.4", true],
    ["0.20.1", "0.21.1", false],
    ["1.2.0", "1.3.0-beta.1", true],
    ["1.2.0", "unknown", false],
  ])(
    "with %s as the lowest tested version says of %s that it was tested: %s",
    (lowest, version, isTested) => {
      expect(isFrom(version, lowest)).toBe(isTested);
    },
  );
});
