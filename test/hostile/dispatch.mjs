// Run by hostile-values.process.test.ts in a process of its own: a value that ends Node, or keeps a dispatch from settling, must show
// as that, and not be inspected by the test framework. Prints a line of JSON for each case.
import { block, createHooks } from "@tenterhook/engine";
import { shadow } from "@tenterhook/engine/built-in";
import { LARGE, OUTCOMES, RETURNED, THROWN } from "./values.mjs";

const call = { toolName: "Shell", toolInput: { command: "ls" } };
const LONGEST_TEXT = 20_000;
let reports = [];
const report = (failure) => void reports.push(failure);

const rejecting = (make) => async () => {
  throw make();
};
const throwing = (make) => () => {
  throw make();
};
const later = (make) => () => new Promise((_resolve, reject) => setTimeout(() => reject(make()), 1));

/** Each takes the function that makes the value, and resolves to what happened. */
const PLACES = {
  "thrown by a hook": (make) => dispatch((hooks) => hooks.on("before_tool", throwing(make))),
  "rejected by a hook": (make) => dispatch((hooks) => hooks.on("before_tool", rejecting(make))),
  "rejected by a hook after a while": (make) => dispatch((hooks) => hooks.on("before_tool", later(make))),
  "rejected by the second async hook": (make) =>
    dispatch((hooks) => {
      hooks.on("before_tool", async () => {});
      hooks.on("before_tool", later(make));
    }),
  "thrown by a hook whose failure lets pass": (make) =>
    dispatch((hooks) => hooks.on("before_tool", later(make), { onError: "continue" })),
  "thrown by a middleware": (make) => dispatch((hooks) => hooks.use("before_tool", later(make))),
  "thrown behind a middleware": (make) =>
    dispatch((hooks) => {
      hooks.use("before_tool", async (_ctx, next) => next());
      hooks.on("before_tool", later(make));
    }),
  "thrown by a matcher": (make) =>
    dispatch((hooks) => hooks.on("before_tool", () => {}, { matcher: throwing(make) })),
  "thrown while a listener follows": (make) =>
    dispatch((hooks) => {
      hooks.onHookEvent(() => {});
      hooks.onTrace(({ entries }) => void entries.map(({ error }) => error?.message));
      hooks.on("before_tool", later(make));
    }),
  "thrown by listeners and instruments": async (make) => {
    const ended = await dispatch((hooks) => {
      hooks.onHookEvent(throwing(make));
      hooks.onHookEvent(rejecting(make));
      hooks.onTrace(rejecting(make));
      hooks.instrument(throwing(make));
      hooks.instrument(() => ({ run: throwing(make), end: throwing(make) }));
      hooks.on("before_tool", () => block("as decided"));
    });
    await new Promise(setImmediate);
    return { ...ended, isFailure: ended.isFailure || (ended.reason === "as decided" && reports.length > 4) };
  },
  "thrown by the reporter": (make) =>
    dispatch(
      (hooks) => hooks.on("before_tool", rejecting(make), { onError: "continue" }),
      {},
      throwing(make),
    ),
  "rejected by the reporter": (make) =>
    dispatch(
      (hooks) => hooks.on("before_tool", rejecting(make), { onError: "continue" }),
      {},
      rejecting(make),
    ),
  "thrown by an approver": (make) => dispatch(ask, { approve: rejecting(make) }),
  "returned by an approver": (make) => dispatch(ask, { approve: () => make() }),
  "thrown by the host's check": (make) => dispatch(change, { validate: rejecting(make) }),
  "thrown by the host's permission check": (make) => dispatch(change, { permit: throwing(make) }),
  "the reason of an abort": (make) => {
    const controller = new AbortController();
    setTimeout(() => controller.abort(make()), 1);
    return dispatch((hooks) => hooks.on("before_tool", () => new Promise(() => {})), {
      signal: controller.signal,
    });
  },
  "thrown by an abort listener": (make) =>
    dispatch((hooks) => {
      hooks.on(
        "before_tool",
        (ctx) => {
          ctx.onAbort(throwing(make));
          ctx.onAbort(rejecting(make));
          return new Promise(() => {});
        },
        { timeoutMs: 5 },
      );
    }),
  "rejected in the background": (make) => inBackground(rejecting(make)),
  "thrown in the shadow": async (make) => {
    const seen = [];
    const hook = shadow(rejecting(make), {
      report: (shadowed) => {
        seen.push(shadowed);
        throw make();
      },
    });
    const ended = await dispatch((hooks) => hooks.on("before_tool", hook));
    return { ...ended, isFailure: seen.length === 1 && "error" in seen[0] };
  },
};

const RETURN_PLACES = {
  "returned by a hook": (make) => dispatch((hooks) => hooks.on("before_tool", () => make())),
  "resolved by a hook": (make) => dispatch((hooks) => hooks.on("before_tool", async () => make())),
  "returned by a middleware": (make) => dispatch((hooks) => hooks.use("before_tool", () => make())),
  "returned behind an async hook": (make) =>
    dispatch((hooks) => {
      hooks.on("before_tool", async () => {});
      hooks.on("before_tool", () => make());
    }),
  "returned with a listener": (make) =>
    dispatch((hooks) => {
      hooks.onHookEvent(() => {});
      hooks.on("before_tool", () => make());
    }),
};

/** Here some of the values are valid, and some texts are the host's own: what matters is that it ends. */
const ENDING_PLACES = {
  "returned in the background": (make) => settles(inBackground(() => make())),
  "given to next by a middleware": (make) =>
    settles(dispatch((hooks) => hooks.use("before_tool", async (_ctx, next) => next({ toolInput: make() })))),
  "an edit of an approver": (make) =>
    settles(dispatch(ask, { approve: () => ({ type: "edit", value: make() }) })),
  "a reason of an approver": (make) =>
    settles(dispatch(ask, { approve: () => ({ type: "reject", reason: make() }) })),
  "returned by the host's check": (make) => settles(dispatch(change, { validate: () => make() })),
};

async function settles(ending) {
  await ending;
  return { isFailure: true };
}

function ask(hooks) {
  hooks.on("before_tool", () => ({ type: "ask", reason: "sure?" }));
}

function change(hooks) {
  hooks.on("before_tool", () => ({ type: "proceed", patch: { toolInput: { command: "pwd" } } }));
}

async function dispatch(register, options = {}, reporter = report) {
  const hooks = createHooks({ report: reporter });
  register(hooks);
  const ended = await hooks.dispatch("before_tool", call, options);
  const { reason } = ended;
  const texts = [reason ?? "", ...ended.failures.map(({ message }) => message)];
  const isRefused = ended.action === "refuse" || ended.outcome.type === "stop";
  return {
    isFailure: ended.failures.length > 0 || isRefused,
    reason: reason?.slice(0, 100),
    isShort: texts.every((text) => typeof text === "string" && text.length < LONGEST_TEXT),
  };
}

async function inBackground(handler) {
  const hooks = createHooks({ report });
  hooks.on("before_tool", handler, { mode: "background" });
  await hooks.dispatch("before_tool", call);
  await hooks.drain();
  return {
    isFailure: reports.length > 0,
    isShort: reports.every(({ message }) => message.length < LONGEST_TEXT),
  };
}

const LARGE_PLACES = [
  "thrown by a hook",
  "rejected by a hook after a while",
  "thrown by an approver",
  "thrown by the host's check",
  "rejected in the background",
];

const cases = [
  ...pairs(Object.fromEntries(LARGE_PLACES.map((place) => [place, PLACES[place]])), LARGE),
  ...pairs(PLACES, THROWN),
  ...pairs(RETURN_PLACES, { ...RETURNED, ...OUTCOMES }),
  ...pairs(ENDING_PLACES, { ...RETURNED, ...OUTCOMES }),
];

// A promise that never settles is a timeout.
cases.push({
  name: "a then that never calls back, returned by a hook",
  run: async () => {
    const silent = new Proxy({}, { get: (_target, key) => (key === "then" ? () => {} : undefined) });
    const ended = await dispatch((hooks) => hooks.on("before_tool", () => silent, { timeoutMs: 20 }));
    return { ...ended, isFailure: ended.reason?.includes("did not answer within 20 ms") };
  },
});

function pairs(places, values) {
  return Object.entries(places).flatMap(([place, run]) =>
    Object.entries(values).map(([value, make]) => ({ name: `${value}, ${place}`, run: () => run(make) })),
  );
}

for (const { name, run } of cases) {
  reports = [];
  let line;
  try {
    line = await run();
  } catch {
    line = { isRejected: true };
  }
  process.stdout.write(`${JSON.stringify({ name, ...line })}\n`);
}
process.stdout.write(`${JSON.stringify({ name: "the end", cases: cases.length })}\n`);
