const DESTRUCTIVE = /\brm -rf\b|\bmkfs\b|\bdrop table\b/i;

// A start hook that refuses: the run fails with the reason, and the agent never starts.
export default function securityValidator({ parameters }) {
  const found = DESTRUCTIVE.exec(JSON.stringify(parameters));
  if (found === null) return { action: "continue", parameters };
  return { action: "block", block_reason: `"${found[0]}" would destroy data` };
}
