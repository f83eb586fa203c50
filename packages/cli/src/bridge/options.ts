/** The options of `tenterhook bridge`; read by hand, because a tool call waits for this process. */
export interface BridgeOptions {
  readonly client: string;
  readonly event: string;
  readonly entry?: string;
  readonly timeoutMs?: number;
  readonly job?: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The variables that the options of pinned folders replace. */
const PINS = {
  "--config-home": "XDG_CONFIG_HOME",
  "--state-home": "XDG_STATE_HOME",
  "--cache-home": "XDG_CACHE_HOME",
  "--home": "HOME",
} as const;

/** Where compiled code is kept. */
export function cacheFolder(args: readonly string[]): string {
  const { env } = readOptions(args);
  const base = env.XDG_CACHE_HOME?.startsWith("/")
    ? env.XDG_CACHE_HOME
    : `${env.HOME || "/nonexistent"}/.cache`;
  return `${base}/tenterhook`;
}

export function readOptions(args: readonly string[]): BridgeOptions {
  const values = new Map<string, string>();
  for (let at = 0; at < args.length; at += 2) values.set(args[at] ?? "", args[at + 1] ?? "");
  const pinned = Object.entries(PINS).flatMap(([option, name]) => {
    const value = values.get(option);
    return value === undefined ? [] : [[name, value] as const];
  });
  const seconds = Number(values.get("--timeout"));
  const entry = values.get("--entry");
  const job = values.get("--job");
  return {
    client: values.get("--client") ?? "",
    event: values.get("--event") ?? "",
    ...(entry !== undefined && { entry }),
    ...(seconds > 0 && { timeoutMs: seconds * 1_000 }),
    ...(job !== undefined && { job }),
    env: pinned.length === 0 ? process.env : { ...process.env, ...Object.fromEntries(pinned) },
  };
}

export function isPin(option: string | undefined): boolean {
  return option !== undefined && Object.hasOwn(PINS, option);
}
