import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const SCRIPT = fileURLToPath(new URL("call-path.mjs", import.meta.url));

type Limit = Readonly<Partial<Record<"files" | "folders" | "returns", number>>>;

interface Count extends Required<Limit> {
  readonly entered: readonly string[];
}

interface MeasuredPath {
  readonly name: string;
  readonly limit: Readonly<Record<string, Limit>>;
  readonly result: unknown;
  readonly counted: Readonly<Record<string, Count>>;
}

test("a call of a coding agent enters at most twelve folders of the bridges, and returns to one at most five times", async () => {
  const { result, counted, limit } = await measure("bridge");
  // The guard was asked: it is the whole path.
  expect(result).toBe("exit 2");
  expect(limit).toEqual({
    byFiles: { folders: 12, returns: 5 },
    byCalls: { folders: 12, returns: 5 },
  });
  expect(findExceeded(counted, limit)).toEqual([]);
  const names = ["read", "translate", "match", "decide", "encode", "record"].map(
    (name) => `bridges/call/${name}`,
  );
  const [read, translate, match, ...rest] = names;
  // An earlier refusal is looked for before the call is translated.
  const order = [read, match, translate, match, ...rest];
  expect(counted.byFiles?.entered.filter((folder) => names.includes(folder))).toEqual(order);
});

test("a call of a coding agent goes through no more files of all packages than its limit", async () => {
  const { result, counted, limit } = await measure("call");
  expect(result).toBe("exit 2");
  expect(findExceeded(counted, limit)).toEqual([]);
});

test("a tool call of an agent goes through no more files than its limit", async () => {
  const { result, counted, limit } = await measure("agent");
  // The handler was called with the input of the model.
  expect(result).toBe("rm -rf build");
  expect(findExceeded(counted, limit)).toEqual([]);
});

function findExceeded(counted: MeasuredPath["counted"], limit: MeasuredPath["limit"]): readonly string[] {
  return Object.entries(limit).flatMap(([way, limits]) =>
    Object.entries(limits).flatMap(([what, most]) => {
      const count = counted[way]?.[what as keyof Limit] ?? Number.NaN;
      return count <= most ? [] : [`${way}: ${count} ${what}, and at most ${most}`];
    }),
  );
}

async function measure(name: string): Promise<MeasuredPath> {
  const stdout = await new Promise<string>((resolve, reject) => {
    execFile(process.execPath, [SCRIPT, name, "--json"], (error, output, stderr) =>
      error === null ? resolve(output) : reject(new Error(stderr, { cause: error })),
    );
  });
  const { measured } = JSON.parse(stdout) as { readonly measured: readonly MeasuredPath[] };
  const [path] = measured;
  if (path === undefined) throw new Error(`there is no path ${name}`);
  return path;
}
