// What hooks add to one run with one tool call of a framework: the folders of test/adapters measure their frameworks with it.

const EVENTS = ["before_llm", "after_llm", "before_tool", "after_tool"];
const BARS = { "empty set": 1.1, "twenty quiet hooks": 1.3 };

/** Twenty functions that let everything pass, on the events of the model and of tools in turn: each its own, as twenty rules would be. */
function quietFunctions() {
  return Array.from({ length: 20 }, (_, index) => ({
    event: EVENTS[index % EVENTS.length],
    call: new Function("context", `if (context.never === ${index}) return 1;`),
  }));
}

/** A set with these hooks. `createHooks` is that of the folder, which has its own copy of the packages. */
export function quietHooks(createHooks) {
  const hooks = createHooks();
  for (const { event, call } of quietFunctions()) hooks.on(event, call);
  return hooks;
}

/** The same functions without an engine, for a wrapper that a program writes by hand: calls those of an event. */
export function quietCalls() {
  const functions = quietFunctions();
  const byEvent = Object.fromEntries(
    EVENTS.map((event) => [event, functions.filter((each) => each.event === event).map(({ call }) => call)]),
  );
  return (event, context) => {
    for (const call of byEvent[event]) if (call(context) !== undefined) throw new Error("refused");
  };
}

/**
 * Measures variants of a run, which take turns: `plain` against the others. Prints the best time of each, and its median time of the
 * processor; fails the process if a bar is missed by more than a third.
 */
export async function measureRuns(
  name,
  variants,
  { warmUps = 4_000, rounds = 60, runs = 20, bars = {} } = {},
) {
  const names = Object.keys(variants);
  const wall = Object.fromEntries(names.map((variant) => [variant, Number.POSITIVE_INFINITY]));
  const cpu = Object.fromEntries(names.map((variant) => [variant, []]));
  for (const run of Object.values(variants)) for (let count = 0; count < warmUps; count++) await run();
  for (let round = 0; round < rounds; round++) {
    for (const variant of names) {
      const run = variants[variant];
      const before = process.cpuUsage();
      for (let count = 0; count < runs; count++) {
        const startedAt = performance.now();
        await run();
        wall[variant] = Math.min(wall[variant], (performance.now() - startedAt) * 1000);
      }
      const { user, system } = process.cpuUsage(before);
      cpu[variant].push((user + system) / runs);
    }
  }
  for (const variant of names) {
    const ratio = wall[variant] / wall.plain;
    const cpuRatio = median(cpu[variant].map((time, round) => time / cpu.plain[round]));
    const bar = { ...BARS, ...bars }[variant];
    if (bar !== undefined && ratio > bar * (4 / 3)) process.exitCode = 1;
    const shown = bar === undefined ? "" : ` (bar ${bar.toFixed(2)}x)${ratio > bar ? " missed" : ""}`;
    const time = `${wall[variant].toFixed(0).padStart(6)} µs`;
    console.log(
      `${name}  ${variant.padEnd(26)} ${time}  ${ratio.toFixed(2)}x${shown}, processor ${cpuRatio.toFixed(2)}x`,
    );
  }
}

function median(values) {
  return values.toSorted((a, b) => a - b)[values.length >> 1];
}
