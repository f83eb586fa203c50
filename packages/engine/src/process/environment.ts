/** Names that look like secrets. */
const SECRET =
  /TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIAL|API_?KEY|ACCESS_?KEY|PRIVATE_?KEY|AUTH|COOKIE|_KEY$|_DSN$|DATABASE_URL|CONNECTION_STRING/i;

/**
 * The environment for a process that need not know our secrets: this process's, without the variables whose names look
 * like one or are excluded, except those that are allowed. A secret under an innocent name passes.
 */
export function environmentWithoutSecrets(
  allowed: readonly string[] = [],
  inherited: Readonly<Record<string, string | undefined>> = process.env,
  isExcluded: (name: string) => boolean = () => false,
): Record<string, string> {
  const env: Record<string, string> = {};
  // Reading a variable of this process takes a microsecond, so only those that are passed on are read.
  for (const name of Object.keys(inherited)) {
    if ((looksSecret(name) || isExcluded(name)) && !allowed.includes(name)) continue;
    const value = inherited[name];
    if (value !== undefined) env[name] = value;
  }
  return env;
}

// The same names come with every process; the pattern is not cheap.
const judged = new Map<string, boolean>();

function looksSecret(name: string): boolean {
  let isSecret = judged.get(name);
  if (isSecret === undefined) {
    isSecret = SECRET.test(name);
    judged.set(name, isSecret);
  }
  return isSecret;
}
