// `npm run bench -- rules --corpus DIR` asks the rules, cc-safety-net and the pattern `rm -rf` about collections of commands.
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { checkCommand, GROUPS, RECOMMENDED, type Rule, readRules } from "@tenterhook/rules";
import { checkCommand as checkSafetyNet } from "cc-safety-net/api";

/** A line of a collection. */
interface Sample {
  readonly command: string;
  readonly expected: "dangerous" | "harmless";
  readonly cwd: string;
  /** Default: `/home/me`. */
  readonly home?: string;
  readonly env?: Readonly<Record<string, string>>;
}

interface Checker {
  readonly name: string;
  /** The rule that refuses or asks, if one does. */
  check(sample: Sample): string | undefined;
}

const HOME = "/home/me";
const USAGE = `npm run bench -- rules --corpus DIR [--groups ${RECOMMENDED.join(",")}] [--list]
DIR has collections, NAME.jsonl: {"command": "…", "expected": "dangerous" | "harmless", "cwd": "/…"} on each line.
--list prints what the rules miss and alarm about, so not for a collection that must stay unread.`;

export function compareRules(args: readonly string[]): void {
  const { values } = parseArgs({
    args: [...args],
    options: { corpus: { type: "string" }, groups: { type: "string" }, list: { type: "boolean" } },
  });
  const { corpus, groups = RECOMMENDED.join(","), list = false } = values;
  const unknown = groups.split(",").filter((group) => !(GROUPS as readonly string[]).includes(group));
  if (corpus === undefined || unknown.length > 0) {
    if (unknown.length > 0)
      console.error(`Unknown group: ${unknown.join(", ")}. Known: ${GROUPS.join(", ")}.`);
    console.error(USAGE);
    process.exitCode = 1;
    return;
  }
  mkdirSync(FOLDER, { recursive: true });
  const rules = readRules().filter(({ group }) => groups.split(",").includes(group));
  const checkers = [ours(rules), SAFETY_NET, PATTERN];
  console.log(
    `node ${process.versions.node}, groups ${groups}\n\n| collection | by | found | false alarms | median | p95 |`,
  );
  console.log("|---|---|---|---|---|---|");
  for (const file of collectionsIn(corpus)) {
    const samples = readSamples(file);
    for (const row of measure(samples, checkers)) console.log(`| ${basename(file, ".jsonl")} | ${row} |`);
    if (list) printMistakes(samples, ours(rules));
  }
}

function ours(rules: readonly Rule[]): Checker {
  return {
    name: "Tenterhook",
    check: ({ command, cwd, home = HOME, env = {} }) =>
      checkCommand(command, { workDir: cwd, home, env: { HOME: home, ...env }, rules }).rule,
  };
}

/** It refuses everything where the working folder does not exist, so it is asked in a folder that does, which the command then names. */
const FOLDER = fileURLToPath(
  new URL("../../../node_modules/.cache/tenterhook-bench/project", import.meta.url),
);

const SAFETY_NET: Checker = {
  name: "cc-safety-net",
  check({ command, cwd, home = HOME }) {
    // It takes the home folder from here.
    process.env.HOME = home;
    const result = checkSafetyNet({ command: command.replaceAll(cwd, FOLDER), cwd: FOLDER });
    return result.kind === "deny" ? (result.ruleId ?? "") : undefined;
  },
};

const PATTERN: Checker = {
  name: "pattern `rm -rf`",
  check: ({ command }) => (/rm -rf/.test(command) ? "" : undefined),
};

function collectionsIn(folder: string): readonly string[] {
  const names = readdirSync(folder).filter((name) => name.endsWith(".jsonl"));
  if (names.length === 0) throw new Error(`${folder} has no .jsonl files.`);
  return names.sort().map((name) => join(folder, name));
}

function readSamples(file: string): readonly Sample[] {
  const lines = readFileSync(file, "utf8").split("\n");
  return lines.flatMap((line, index) => {
    if (line.trim() === "") return [];
    const sample = JSON.parse(line) as Partial<Sample>;
    const isComplete = typeof sample.command === "string" && typeof sample.cwd === "string";
    if (!isComplete || !/^(?:dangerous|harmless)$/.test(sample.expected ?? ""))
      throw new Error(`${file}:${index + 1} needs command, cwd, and expected: "dangerous" or "harmless".`);
    return [sample as Sample];
  });
}

/** So many samples of a collection, evenly spread, are timed: one of cc-safety-net takes ten milliseconds. */
const TIMED = 1_000;
const ROUNDS = 4;

function measure(samples: readonly Sample[], checkers: readonly Checker[]): readonly string[] {
  const times = measureTimes(samples, checkers);
  const isDangerous = ({ expected }: Sample) => expected === "dangerous";
  const dangerous = samples.filter(isDangerous);
  const harmless = samples.filter((sample) => !isDangerous(sample));
  return checkers.map(({ name, check }) => {
    const stopped = (some: readonly Sample[]) => some.filter((sample) => check(sample) !== undefined).length;
    const { median, p95 } = times.get(name) ?? { median: 0, p95: 0 };
    return [
      name,
      share(stopped(dangerous), dangerous.length),
      share(stopped(harmless), harmless.length),
      `${median.toFixed(3)} ms`,
      `${p95.toFixed(3)} ms`,
    ].join(" | ");
  });
}

/** Of each sample the best of some rounds. The checkers take turns, so that a disturbance of the machine meets all of them. */
function measureTimes(samples: readonly Sample[], checkers: readonly Checker[]) {
  const step = Math.ceil(samples.length / TIMED);
  const timed = samples.filter((_, index) => index % step === 0);
  const best = new Map(checkers.map(({ name }) => [name, timed.map(() => Number.POSITIVE_INFINITY)]));
  for (let round = 0; round < ROUNDS; round++)
    for (const { name, check } of checkers)
      for (const [index, sample] of timed.entries()) {
        const startedAt = performance.now();
        check(sample);
        const times = best.get(name) ?? [];
        times[index] = Math.min(times[index] ?? 0, performance.now() - startedAt);
      }
  return new Map(
    [...best].map(([name, times]) => {
      const sorted = times.toSorted((one, other) => one - other);
      return [
        name,
        { median: sorted[sorted.length >> 1] ?? 0, p95: sorted[Math.floor(sorted.length * 0.95)] ?? 0 },
      ];
    }),
  );
}

function share(count: number, all: number): string {
  return all === 0 ? "–" : `${((100 * count) / all).toFixed(1)} % (${count} of ${all})`;
}

function printMistakes(samples: readonly Sample[], { check }: Checker): void {
  for (const sample of samples) {
    const rule = check(sample);
    if ((rule !== undefined) === (sample.expected === "dangerous")) continue;
    console.log(`${rule === undefined ? "missed" : `alarm by ${rule}`}: ${JSON.stringify(sample.command)}`);
  }
}
