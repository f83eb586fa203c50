import { ask, block, proceed, skip } from "@tenterhook/protocol";
import { describe, expect, test } from "vitest";
import { createHooks, type Hooks } from "../hooks.ts";
import type { HookOptions } from "../register/hook.ts";

const shell = { toolName: "Shell", toolInput: { command: "ls" } };
type Next = (patch?: object) => unknown;
type Use = (next: Next) => unknown;

const changed = { toolInput: { command: "pwd" } };
const refuseNow = { validate: () => "not this" };
const refuseLater = { validate: async () => "not this" };
const acceptLater = {
  validate: async () => {
    await later();
    return undefined;
  },
};

/** Some microtasks later, as after any real work. */
async function later(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await undefined;
}

const guards: readonly (readonly [string, () => unknown])[] = [
  ["a sync guard", () => block("guarded")],
  ["an async guard", () => later().then(() => block("guarded"))],
  ["a guard that throws", () => Promise.reject(new Error("guarded"))],
];

const caught = (work: () => unknown) => {
  try {
    const result = work();
    if (result instanceof Promise) result.catch(() => undefined);
    return undefined;
  } catch {
    return undefined;
  }
};

const misuses: [string, Use, object?][] = [
  ["swallows the error of a change that the event does not have", (next) => caught(() => next({ bogus: 1 }))],
  [
    "awaits and swallows the error of a change that the event does not have",
    async (next) => {
      try {
        await next({ bogus: 1 });
      } catch {}
    },
  ],
  [
    "swallows the error of a change that the host refuses at once",
    (next) => caught(() => next(changed)),
    refuseNow,
  ],
  [
    "swallows the error of a change that the host refuses later",
    async (next) => {
      try {
        await next(changed);
      } catch {}
    },
    refuseLater,
  ],
  ["does not wait for a change that the host refuses later", (next) => void next(changed), refuseLater],
  ["does not wait for a change that the host accepts later", (next) => void next(changed), acceptLater],
  ["does not wait for next", (next) => void next()],
  ["does not wait for next in an async function", async (next) => void next()],
  ["calls next late and does not wait for it", (next) => later().then(() => void next())],
  ["returns a result of its own while next runs", (next) => [next(), skip("mine")][1]],
  ["returns a change while next runs", (next) => [next(), proceed(changed)][1]],
  ["gives up waiting for next", (next) => Promise.race([next(), Promise.resolve(proceed())])],
  [
    "throws while next runs",
    (next) => {
      void next();
      throw new Error("its own");
    },
  ],
  [
    "swallows the error of a second next",
    (next) => {
      void next();
      caught(next);
    },
  ],
  [
    "swallows the error of a second next after one that failed",
    (next) => {
      caught(() => next({ bogus: 1 }));
      caught(next);
    },
  ],
];

function wrapped(
  use: Use,
  guard: () => unknown,
  options: HookOptions = {},
): { hooks: Hooks; called: string[] } {
  const hooks = createHooks({ report: () => undefined });
  const called: string[] = [];
  hooks.use("before_tool", (_ctx, next) => use(next as Next) as never, { onError: "continue", ...options });
  hooks.on("before_tool", () => {
    called.push("guard");
    return guard() as never;
  });
  return { hooks, called };
}

describe.each<[string, Use, object?]>(misuses)("a middleware that %s", (_name, use, options) => {
  test.each(guards)("does not lose %s behind it", async (_guard, guard) => {
    const { hooks, called } = wrapped(use, guard);
    const dispatch = await hooks.dispatch("before_tool", shell, options);
    expect(dispatch.action).toBe("refuse");
    expect(dispatch.reason).toContain("guarded");
    expect(called).toEqual(["guard"]);
  });

  test.each(guards)("inside another one does not lose %s behind it", async (_guard, guard) => {
    for (const outer of [use, (next: Next) => next(), async (next: Next) => void next()]) {
      const { hooks, called } = wrapped(use, guard);
      hooks.use("before_tool", (_ctx, next) => outer(next as Next) as never, {
        onError: "continue",
        priority: 1,
      });
      const dispatch = await hooks.dispatch("before_tool", shell, options);
      expect(dispatch.action).toBe("refuse");
      expect(called).toEqual(["guard"]);
    }
  });

  test("passes when the guards behind it do, each of which is called once for each value", async () => {
    for (const passing of [() => undefined, later]) {
      const { hooks, called } = wrapped(use, passing);
      const dispatch = await hooks.dispatch("before_tool", shell, options);
      expect(["go_on", "skip"]).toContain(dispatch.action);
      const isJudgedAgain = dispatch.trace.entries.some(({ pass }) => pass === "judging");
      expect(called).toEqual(isJudgedAgain ? ["guard", "guard"] : ["guard"]);
      expect(dispatch.trace.entries.filter(({ pass }) => pass === "first").length).toBeGreaterThanOrEqual(2);
    }
  });
});

/** Resolves when a hook of another dispatch has run out of its 30 ms: later than a middleware's time of 5 ms. */
async function slow(): Promise<void> {
  const clock = createHooks({ report: () => undefined });
  clock.on("before_tool", () => new Promise(() => undefined), { timeoutMs: 30 });
  await clock.dispatch("before_tool", shell);
}

describe("the time of a middleware", () => {
  test("does not run while the host checks the change that it gave to next", async () => {
    const { hooks, called } = wrapped(async (next) => next(changed), guards[0]?.[1] as () => unknown, {
      timeoutMs: 5,
    });
    const validate = async () => void (await slow());
    const dispatch = await hooks.dispatch("before_tool", shell, { validate });
    expect(dispatch).toMatchObject({ action: "refuse", reason: "guarded", payload: changed });
    expect([called, dispatch.failures]).toEqual([["guard"], []]);
  });

  test("does not run while the hooks behind it do, also when it has returned", async () => {
    for (const use of [(next: Next) => void next(), async (next: Next) => void next()]) {
      const { hooks } = wrapped(use, () => slow().then(() => block("guarded")), { timeoutMs: 5 });
      const dispatch = await hooks.dispatch("before_tool", shell);
      expect([dispatch.reason, dispatch.failures]).toEqual(["guarded", []]);
    }
  });

  test("runs again when the host has refused its change, and when the hooks behind it have ended", async () => {
    const endless = () => new Promise(() => undefined);
    const uses: readonly Use[] = [
      (next) => (next(changed) as Promise<unknown>).catch(endless),
      async (next) => {
        await next();
        await endless();
      },
    ];
    for (const use of uses) {
      const { hooks, called } = wrapped(use, later, { timeoutMs: 5 });
      const dispatch = await hooks.dispatch("before_tool", shell, refuseLater);
      expect(dispatch.failures).toMatchObject([{ code: "hook_timeout" }]);
      expect([dispatch.action, called]).toEqual(["go_on", ["guard"]]);
    }
  });

  test("that ends before it calls next leaves the hooks behind it to the dispatch, and a late next is refused", async () => {
    let late: Promise<unknown> | undefined;
    const use: Use = (next) => {
      late = slow().then(() => next(changed));
      return late;
    };
    for (const [, guard] of guards) {
      const { hooks, called } = wrapped(use, guard, { timeoutMs: 5 });
      const dispatch = await hooks.dispatch("before_tool", shell);
      expect([dispatch.action, dispatch.payload, called]).toEqual(["refuse", shell, ["guard"]]);
      await expect(late).rejects.toMatchObject({ code: "hook_timeout" });
      expect(called).toEqual(["guard"]);
    }
  });
});

describe("a middleware that does not wait for next", () => {
  test("is in the trace after the hooks behind it, with their time", async () => {
    const { hooks } = wrapped((next) => void next(), slow, { name: "outer" });
    const { trace } = await hooks.dispatch("before_tool", shell);
    expect(trace.entries.map(({ hook, verdict }) => [hook, verdict])).toEqual([
      ["before_tool#2", "proceed"],
      ["outer", "proceed"],
    ]);
    expect(trace.entries[1]?.durationMs).toBeGreaterThanOrEqual(trace.entries[0]?.durationMs ?? Infinity);
  });

  test("has given them its change", async () => {
    const { hooks } = wrapped((next) => void next(changed), later);
    const dispatch = await hooks.dispatch("before_tool", shell, acceptLater);
    expect(dispatch).toMatchObject({ action: "go_on", payload: changed });
  });

  test("fails when the host refuses its change, because it cannot have seen that", async () => {
    const { hooks, called } = wrapped((next) => void next(changed), later, {
      name: "hasty",
      onError: "block",
    });
    const dispatch = await hooks.dispatch("before_tool", shell, refuseLater);
    expect(dispatch).toMatchObject({ action: "refuse", error: { code: "bad_patch", hook: "hasty" } });
    expect(called).toEqual([]);
  });

  test("is cancelled with them", async () => {
    const controller = new AbortController();
    const guard = () => {
      queueMicrotask(() => controller.abort("enough"));
      return new Promise(() => undefined);
    };
    const { hooks } = wrapped((next) => void next(), guard, { name: "outer" });
    const dispatch = await hooks.dispatch("before_tool", shell, { signal: controller.signal });
    expect(dispatch).toMatchObject({ action: "stop", reason: "cancelled: enough" });
    expect(dispatch.trace.entries.map(({ hook, verdict }) => [hook, verdict])).toEqual([
      ["before_tool#2", "failed"],
      ["outer", "failed"],
    ]);
  });
});

test("a dispatch that is cancelled while the host checks a change calls no hook behind it", async () => {
  const controller = new AbortController();
  let given: Promise<unknown> | undefined;
  const use: Use = (next) => {
    given = next(changed) as Promise<unknown>;
    return given;
  };
  const { hooks, called } = wrapped(use, later);
  const validate = async () => {
    controller.abort("enough");
    await later();
    return undefined;
  };
  const dispatch = await hooks.dispatch("before_tool", shell, { validate, signal: controller.signal });
  expect(dispatch).toMatchObject({ action: "stop", payload: shell });
  await expect(given).rejects.toMatchObject({ code: "hook_timeout" });
  expect(called).toEqual([]);
});

test.each<[string, Use]>([
  ["waits for next", async (next) => next()],
  ["does not wait for next", (next) => void next()],
  [
    "swallows what next throws",
    async (next) => {
      try {
        await next();
      } catch {}
    },
  ],
  ["swallows what next throws at once", (next) => caught(next)],
])("a host that fails behind a middleware that %s fails the dispatch", async (_how, use) => {
  const broken = {
    get approve(): never {
      throw new Error("the host is broken");
    },
  };
  for (const question of [() => ask("sure?"), () => later().then(() => ask("sure?"))]) {
    const { hooks } = wrapped(use, question);
    await expect((async () => hooks.dispatch("before_tool", shell, broken))()).rejects.toThrow(
      "the host is broken",
    );
  }
});

test("a change that the event does not allow fails a middleware that waits for something else", async () => {
  const hooks = createHooks();
  hooks.use("before_tool", async (_context, next: Next) => {
    next({ toolName: "Other" });
    await later();
  });
  expect(await hooks.dispatch("before_tool", shell)).toMatchObject({ action: "refuse" });
});

test("a middleware that calls next when its time is up skips no guard", async () => {
  const hooks = createHooks();
  const given: unknown[] = [];
  hooks.use(
    "before_tool",
    (context, next: Next) => {
      context.onAbort(() => given.push(next()));
      return new Promise(() => {});
    },
    { timeoutMs: 20, onError: "continue" },
  );
  hooks.on("before_tool", () => later().then(() => block("guarded")));
  const dispatch = await hooks.dispatch("before_tool", shell);
  expect(dispatch).toMatchObject({ action: "refuse", reason: "guarded" });
  await expect(given[0]).rejects.toMatchObject({ code: "hook_timeout" });
});
