/** Names that look like secrets. */
const SECRET =
  /TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIAL|API_?KEY|ACCESS_?KEY|PRIVATE_?KEY|AUTH|COOKIE|_KEY$|_DSN$|DATABASE_URL|CONNECTION_STRING/i;

/**
 * The environment for a process that need not know our secrets: this process's, without the variables whose names look
 * like one, except those that are allowed. A secret under an innocent name passes.
 */
export function environmentWithoutSecrets(
  allowed: readonly string[] = [],
  inherited: Readonly<Record<string, string | undefined>> = process.env,
): Record<string, string> {
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(inherited)) {
    if (value !== undefined && (!looksSecret(name) || allowed.includes(name))) env[name] = value;
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
