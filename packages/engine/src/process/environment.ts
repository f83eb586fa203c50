/** Names that look like secrets. */
const SECRET =
  /TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIAL|API_?KEY|ACCESS_?KEY|PRIVATE_?KEY|AUTH|COOKIE|SSHPASS|_KEY$|_DSN$|_PWD$|(?:^|_)(?:PASS|PAT)$|CONNECTION_STRING|DATABASE_URL|(?:^|_)(?:DATABASE|DB|JDBC|POSTGRES|POSTGRESQL|PG|MYSQL|MARIADB|MSSQL|MONGO|MONGODB|REDIS|REDISCLOUD|AMQP|RABBITMQ|CLOUDAMQP|KAFKA|NATS|ELASTICSEARCH|CLICKHOUSE|SMTP|LDAP|BROKER)_UR[IL]$/i;

/** A parameter of a URL that is a secret. */
const SECRET_PARAMETER = /[?&;](?:password|passwd|pwd|secret|(?:access_|auth_)?token|api_?key)=/i;

/**
 * The environment for a process that need not know our secrets: this process's, without the variables whose names or values look like
 * one, except those that are allowed. A secret under an innocent name passes, unless it is a URL.
 */
export function environmentWithoutSecrets(
  allowed: readonly string[] = [],
  inherited: Readonly<Record<string, string | undefined>> = process.env,
): Record<string, string> {
  const env: Record<string, string> = {};
  // Reading a variable of this process takes a microsecond, so only those that are passed on are read.
  for (const name of Object.keys(inherited)) {
    const isAllowed = allowed.includes(name);
    if (!isAllowed && looksSecret(name)) continue;
    const value = inherited[name];
    if (value !== undefined && (isAllowed || !hasCredentials(value))) env[name] = value;
  }
  return env;
}

// The same names come with every process; the pattern is not cheap.
const known = new Map<string, boolean>();
const MOST_KNOWN = 10_000;

/** Whether a variable is a secret by its name. */
export function looksSecret(name: string): boolean {
  let isSecret = known.get(name);
  if (isSecret === undefined) {
    isSecret = SECRET.test(name);
    if (known.size >= MOST_KNOWN) known.clear();
    known.set(name, isSecret);
  }
  return isSecret;
}

/** Whether a variable's value has a URL with a password in it. In linear time: a project can set long values. */
export function hasCredentials(value: string): boolean {
  let at = value.indexOf("://");
  if (at >= 0 && SECRET_PARAMETER.test(value)) return true;
  for (; at >= 0; at = value.indexOf("://", at + 3)) {
    const host = value.slice(at + 3, endOfHost(value, at + 3));
    const password = host.indexOf(":") + 1;
    if (password > 0 && host.lastIndexOf("@") > password) return true;
  }
  return false;
}

function endOfHost(value: string, from: number): number {
  const end = /[\s/?#]/g;
  end.lastIndex = from;
  return end.exec(value)?.index ?? value.length;
}
