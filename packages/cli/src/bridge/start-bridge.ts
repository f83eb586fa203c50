import { cachedRequire, storeCompiled } from "./cached-require.ts";

/** The options of `tenterhook bridge`; read without `parseArgs`, because a tool call waits for this process. */
export interface BridgeOptions {
  readonly client: string;
  readonly event: string;
  readonly entry?: string;
  readonly timeoutMs?: number;
  readonly job?: string;
  /** The process of the installed script, which waits for this one; 0 when it does not know its own. */
  readonly wrapper?: number;
  /** The options of pinned folders, as they were given. */
  readonly pins: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Runs the bridge from its bundle. `plain`: the `require` of the program. */
export async function startBridge(
  bundle: string,
  plain: NodeJS.Require,
  args: readonly string[],
): Promise<void> {
  try {
    const options = readOptions(args);
    const load = cachedRequire(plain, bundle, cacheFolder(options));
    const { runBridge } = load("./main.js") as typeof import("./main.ts");
    await runBridge(options, storeCompiled);
  } catch (error) {
    // A part of the bundle is missing or damaged. The installed script answers when it finds no complete answer; without it, this refuses.
    process.stderr.write(`tenterhook: the bridge failed: ${String(error)}\n`);
    process.exit(args.includes("--wrapper") ? 1 : 2);
  }
}

/** The variables that the options of pinned folders replace. */
const PINS = {
  "--config-home": "XDG_CONFIG_HOME",
  "--state-home": "XDG_STATE_HOME",
  "--cache-home": "XDG_CACHE_HOME",
  "--home": "HOME",
} as const;

/** Where compiled code is stored. */
function cacheFolder({ env }: BridgeOptions): string {
  const base = env.XDG_CACHE_HOME?.startsWith("/")
    ? env.XDG_CACHE_HOME
    : `${env.HOME || "/nonexistent"}/.cache`;
  return `${base}/tenterhook`;
}

/** Reads the options. Pinned folders become variables of the call, and of the hooks that it starts. */
function readOptions(args: readonly string[]): BridgeOptions {
  const values = new Map<string, string>();
  for (let at = 0; at < args.length; at += 2) values.set(args[at] ?? "", args[at + 1] ?? "");
  const pinned = [...values].filter(isPin);
  // On Windows names of variables have no case, which a copy would not know.
  const env = process.platform === "win32" ? process.env : { ...process.env };
  for (const [option, value] of pinned) env[PINS[option]] = value;
  const seconds = Number(values.get("--timeout"));
  const entry = values.get("--entry");
  const job = values.get("--job");
  const wrapper = values.get("--wrapper");
  return {
    client: values.get("--client") ?? "",
    event: values.get("--event") ?? "",
    ...(entry !== undefined && { entry }),
    ...(seconds > 0 && { timeoutMs: seconds * 1_000 }),
    ...(job !== undefined && { job }),
    ...(wrapper !== undefined && { wrapper: Number(wrapper) }),
    pins: pinned.flat(),
    env,
  };
}

function isPin(given: readonly [option: string, value: string]): given is [keyof typeof PINS, string] {
  return Object.hasOwn(PINS, given[0]);
}
