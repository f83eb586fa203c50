import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { temporaryFolder } from "@tenterhook/test-support/temporary-folder";
import { expect, test } from "vitest";
import { cachedRequire, storeCompiled } from "./cached-require.ts";

const require = createRequire(import.meta.url);

/** A bundle of one file, whose compiled code is stored. */
function storedBundle() {
  const root = temporaryFolder();
  const source = "const twice = (n) => n * 2;\nexports.run = (n) => [n, 7].map(twice).join('-');\n";
  writeFileSync(join(root, "part.js"), source);
  const run = (n: number) => cachedRequire(require, root, root)("./part.js").run(n) as string;
  const store = () =>
    storeCompiled((path, content) => {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, content);
    });
  run(1);
  store();
  const folder = join(root, "bridge", "code");
  const [name = "", ...more] = readdirSync(folder);
  expect(more).toEqual([]);
  const path = join(folder, name);
  return { path, code: readFileSync(path), run, store };
}

test("stored code is the count of calls, the code, and the code with its bytes swapped", () => {
  const { code } = storedBundle();
  const middle = (code.length + 1) / 2;
  expect(code[0]).toBe(1);
  expect(code.length).toBeGreaterThan(200);
  expect(code.subarray(1, middle).equals(code.subarray(middle).swap64())).toBe(true);
});

test("damaged code is replaced", () => {
  const { path, code, run, store } = storedBundle();
  writeFileSync(path, code.subarray(0, 100));
  expect(run(1)).toBe("2-14");
  store();
  expect(readFileSync(path).length).toBeGreaterThan(200);
});

// V8 itself crashes the process on many of these.
test("a file with a byte changed, or with one changed at every distance, is compiled anew", () => {
  const { path, code, run } = storedBundle();
  for (let at = 0; at < code.length; at += 5) {
    writeFileSync(
      path,
      changed(code, (nth) => nth === at),
    );
    expect(run(at)).toBe(`${at * 2}-14`);
    // The count of calls stays one, and V8's own header stays as it is.
    writeFileSync(
      path,
      changed(code, (nth) => nth > 64 && nth % (at + 1) === 0),
    );
    expect(run(at)).toBe(`${at * 2}-14`);
  }
});

test("a file that is cut, has more at its end, or has zeros from some byte on is compiled anew", () => {
  const { path, code, run } = storedBundle();
  for (let at = 0; at < code.length; at += 13) {
    const zeros = Buffer.from(code).fill(0, at);
    for (const damaged of [code.subarray(0, at), zeros, Buffer.concat([code, code.subarray(0, at + 1)])]) {
      writeFileSync(path, damaged);
      expect(run(at)).toBe(`${at * 2}-14`);
    }
  }
});

function changed(code: Buffer, isChanged: (at: number) => boolean): Uint8Array {
  return code.map((byte, at) => (isChanged(at) ? byte ^ (1 << (at % 8)) : byte));
}
