// Values whose inspection throws, or that are unusual to throw. Each is made anew for each use.

const refuse = () => {
  throw new Error("it does not want to be read");
};

const TRAPS = [
  "apply",
  "construct",
  "defineProperty",
  "deleteProperty",
  "get",
  "getOwnPropertyDescriptor",
  "getPrototypeOf",
  "has",
  "isExtensible",
  "ownKeys",
  "preventExtensions",
  "set",
  "setPrototypeOf",
];

function withGetter(target, ...keys) {
  for (const key of keys) Object.defineProperty(target, key, { get: refuse, enumerable: true });
  return target;
}

function revoked(target) {
  const { proxy, revoke } = Proxy.revocable(target, {});
  revoke();
  return proxy;
}

function cyclicCause() {
  const first = new Error("first");
  first.cause = new Error("second", { cause: first });
  return first;
}

/** Values that are thrown, by name. */
export const THROWN = {
  "a revoked proxy": () => revoked({}),
  "a revoked proxy of a function": () => revoked(() => {}),
  "a proxy whose every trap throws": () =>
    new Proxy({}, Object.fromEntries(TRAPS.map((trap) => [trap, refuse]))),
  "a proxy that has every field": () =>
    new Proxy({}, { has: () => true, get: (_target, key) => (key === "then" ? undefined : key) }),
  "an object with throwing getters": () =>
    withGetter({}, "message", "name", "stack", "cause", "code", "toString", "toJSON", "constructor"),
  "an object with throwing symbols": () =>
    withGetter({}, Symbol.toPrimitive, Symbol.toStringTag, Symbol.hasInstance, Symbol.iterator),
  "an object whose then throws": () => withGetter({}, "then"),
  "an error with throwing getters": () => withGetter(new Error("x"), "stack", "message", "name", "cause"),
  "an error whose message is a symbol": () =>
    Object.assign(new Error("x"), { message: Symbol("text"), name: Symbol("name") }),
  "an AggregateError of such values": () => new AggregateError([revoked({}), withGetter({}, "message")], ""),
  "an error caused by a revoked proxy": () => new Error("outer", { cause: revoked({}) }),
  "a cyclic chain of causes": cyclicCause,
  "a function": () => function thrown() {},
  "a function with a throwing toString": () => withGetter(() => {}, "toString", Symbol.toPrimitive, "name"),
  "a symbol": () => Symbol("thrown"),
  "a bigint": () => 12n,
  null: () => null,
  undefined: () => undefined,
  "an object without a prototype": () => Object.create(null),
  "a cyclic object": () => {
    const value = {};
    value.self = value;
    return value;
  },
  "a string of 1 MB": () => "x".repeat(1_000_000),
};

/** These take a while, so they are not used everywhere. */
export const LARGE = {
  "a string of 100 MB": () => "x".repeat(100_000_000),
  "an error with a message of 100 MB": () => new Error("x".repeat(100_000_000)),
};

/** Values that are returned where an answer is read; none of them is one. */
export const RETURNED = Object.fromEntries(Object.entries(THROWN).filter(([name]) => name !== "undefined"));

/** Outcomes that are read more than once, or carry what cannot be read. */
export const OUTCOMES = {
  "an outcome with a throwing reason": () => withGetter({ type: "block" }, "reason"),
  "an outcome with a throwing patch": () => withGetter({ type: "proceed" }, "patch"),
  "an outcome with throwing context": () => withGetter({ type: "proceed" }, "context"),
  "an outcome with a throwing type": () => withGetter({}, "type"),
  "a patch that is a revoked proxy": () => ({ type: "proceed", patch: revoked({}) }),
  "a patch with a throwing field": () => ({ type: "proceed", patch: withGetter({}, "toolInput") }),
  "an input that is a revoked proxy": () => ({ type: "proceed", patch: { toolInput: revoked({}) } }),
  "an input with a revoked part": () => ({ type: "proceed", patch: { toolInput: { part: revoked({}) } } }),
  "an input with a throwing getter": () => ({
    type: "proceed",
    patch: { toolInput: withGetter({}, "command") },
  }),
  "a result that is a revoked proxy": () => ({ type: "skip", result: revoked({}) }),
  "an outcome that reads well the first time": () => {
    let reads = 0;
    return {
      get type() {
        if (reads++ > 0) refuse();
        return "block";
      },
      get reason() {
        if (reads++ > 1) refuse();
        return "no";
      },
    };
  },
};
