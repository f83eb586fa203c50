/** What a hook's process is told about where it runs. */
export interface HookPlace {
  readonly hookDir: string;
  readonly projectDir: string;
  readonly sessionId: string;
  readonly event: string;
  readonly stateDir: string;
}

/** Names that look like secrets. A hook that needs one lists it under `metadata.env`. */
const SECRET =
  /TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIAL|API_?KEY|ACCESS_?KEY|PRIVATE_?KEY|AUTH|COOKIE|_KEY$|_DSN$|DATABASE_URL|CONNECTION_STRING/i;

/** The environment of a hook: this process's, without what looks like a secret, and with its own place in it. */
export function environmentFor(
  place: HookPlace,
  allowed: readonly string[],
  inherited: Readonly<Record<string, string | undefined>> = process.env,
): Record<string, string> {
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(inherited)) {
    if (value !== undefined && (!looksSecret(name) || allowed.includes(name))) env[name] = value;
  }
  env.TENTERHOOK_HOOK_DIR = place.hookDir;
  env.TENTERHOOK_PROJECT_DIR = place.projectDir;
  env.TENTERHOOK_SESSION_ID = place.sessionId;
  env.TENTERHOOK_EVENT = place.event;
  env.TENTERHOOK_STATE_DIR = place.stateDir;
  return env;
}

/** The names that a hook's metadata lets through. */
export function allowedNames(metadata: Readonly<Record<string, unknown>>): readonly string[] {
  const { env } = metadata as { env?: unknown };
  return Array.isArray(env) ? env.filter((name): name is string => typeof name === "string") : [];
}

// The same names come with every hook; the pattern is not cheap.
const judged = new Map<string, boolean>();

function looksSecret(name: string): boolean {
  let isSecret = judged.get(name);
  if (isSecret === undefined) {
    isSecret = SECRET.test(name);
    judged.set(name, isSecret);
  }
  return isSecret;
}
