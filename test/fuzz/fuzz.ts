import { randomInt } from "node:crypto";
import { QUICK_START } from "@tenterhook/test-support";
import fc from "fast-check";
import { threadTimeMs } from "../../packages/engine/src/match/thread-time.ts";

/** The seed of the generation. Random unless `TENTERHOOK_FUZZ_SEED` sets it; a failure prints it. */
export const SEED = Number(process.env.TENTERHOOK_FUZZ_SEED ?? randomInt(2 ** 31 - 1));

/** `TENTERHOOK_FUZZ_INPUTS`: the number of inputs of all targets together. Unset: the short count of each target. */
const TOTAL = process.env.TENTERHOOK_FUZZ_INPUTS;
/** `TENTERHOOK_FUZZ_ONLY`: the index of the one input to repeat. */
const ONLY = process.env.TENTERHOOK_FUZZ_ONLY;

/** For processes with an embedded store: a long run is worth optimised code. */
export const STORE_FLAGS: readonly string[] = TOTAL === undefined ? [QUICK_START] : [];

const CHUNK = 250;
const SHRINK_MS = 20_000;

/** It took too long. On a busy machine this counts only if it happens again, alone. */
export class TooSlow extends Error {}

/** Throws when this thread has used more than the permitted CPU time since `started`, a `threadTimeMs()`. */
export function mustBeWithin(ms: number, started: number): void {
  const took = threadTimeMs() - started;
  if (took > ms) throw new TooSlow(`it took ${Math.round(took)} ms of CPU time`);
}

/** The number of inputs of a target. */
export interface Volume {
  /** In `npm run test:fuzz`. */
  readonly short: number;
  /** Its part of `TENTERHOOK_FUZZ_INPUTS`; all targets together have 1. */
  readonly share: number;
  /** The number of parallel inputs. Default: 1. */
  readonly atOnce?: number;
  /** The permitted average time of an input, on a busy machine. Default: 300 ms. */
  readonly eachMs?: number;
}

/** `TENTERHOOK_FUZZ_HTTP=5000` sets the count of the target "http". */
export function countOf(target: string, { short, share }: Volume): number {
  const own = process.env[`TENTERHOOK_FUZZ_${target.toUpperCase().replaceAll(/\W+/g, "_")}`];
  if (own !== undefined) return Number(own);
  return TOTAL === undefined ? short : Math.ceil(Number(TOTAL) * share);
}

/** The time limit of a target. Each input also has its own limit. */
export function limitMs(target: string, volume: Volume): number {
  return 240_000 + countOf(target, volume) * (volume.eachMs ?? 300);
}

/**
 * Checks generated inputs, several at a time. The first failing input is shrunk, and the error contains the command to repeat
 * it. An input is a plain printable value: large parts are placeholders (see `odd-values.ts`).
 */
export async function fuzz<T>(
  target: string,
  volume: Volume,
  input: fc.Arbitrary<T>,
  check: (input: T) => Promise<void> | void,
): Promise<void> {
  const count = countOf(target, volume);
  const first = ONLY === undefined ? 0 : Number(ONLY);
  const end = ONLY === undefined ? count : first + 1;
  for (let chunk = Math.floor(first / CHUNK); chunk * CHUNK < end; chunk += 1) {
    const start = chunk * CHUNK;
    const values = fc.sample(input, { seed: SEED + chunk, numRuns: Math.min(CHUNK, end - start) });
    for (let next = Math.max(0, first - start); next < values.length; ) {
      const failed = await firstFailure(values, next, volume.atOnce ?? 1, check);
      if (failed === undefined) break;
      const error = await explained(target, chunk, failed, input, check);
      if (error !== undefined) throw error;
      next = failed.index + 1;
    }
  }
}

interface Failure<T> {
  readonly index: number;
  readonly value: T;
  readonly error: unknown;
}

async function firstFailure<T>(
  values: readonly T[],
  from: number,
  atOnce: number,
  check: (input: T) => Promise<void> | void,
): Promise<Failure<T> | undefined> {
  let next = from;
  let failed: Failure<T> | undefined;
  const worker = async () => {
    while (next < values.length && failed === undefined) {
      const index = next++;
      const value = values[index] as T;
      try {
        await check(value);
      } catch (error) {
        failed ??= { index, value, error };
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return failed;
}

async function explained<T>(
  target: string,
  chunk: number,
  { index, value, error }: Failure<T>,
  input: fc.Arbitrary<T>,
  check: (input: T) => Promise<void> | void,
): Promise<Error | undefined> {
  const property = fc.asyncProperty(input, async (each) => check(each));
  const details = await fc.check(property, {
    seed: SEED + chunk,
    path: String(index),
    numRuns: 1,
    interruptAfterTimeLimit: SHRINK_MS,
  });
  const smallest = details.counterexample?.[0];
  if (smallest === undefined && error instanceof TooSlow) return undefined;
  const last = details.errorInstance ?? error;
  return new Error(
    [
      `${target}: ${last instanceof Error ? last.message : String(last)}`,
      smallest === undefined
        ? `alone it does not fail again: ${fc.stringify(value)}`
        : `smallest input: ${fc.stringify(smallest)}`,
      `To repeat it: TENTERHOOK_FUZZ_SEED=${SEED} TENTERHOOK_FUZZ_ONLY=${chunk * CHUNK + index}`,
    ].join("\n"),
    { cause: last },
  );
}
