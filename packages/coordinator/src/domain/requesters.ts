import type { ApprovalBar } from "@tenterhook/protocol/runs";

/** One who requested a run: the name, and the token with its makers, up to the first. */
export interface Requester {
  readonly name: string;
  readonly tokens: readonly string[];
}

/** One who reads or decides approvals: the name, and the token with its makers, up to the first. */
export interface TokenHolder {
  readonly name: string;
  readonly lineage: readonly string[];
}

/** Requesters without repetition: one for each token and name. */
export function mergeRequesters(...lists: readonly (readonly Requester[])[]): readonly Requester[] {
  const byToken = new Map<string, Requester>();
  for (const requester of lists.flat()) {
    const own = `${requester.tokens[0]} ${requester.name}`;
    if (!byToken.has(own)) byToken.set(own, requester);
  }
  return [...byToken.values()];
}

/**
 * Why a token may not decide about a run that its requester must not decide about; `undefined` when it may. Tokens form a tree:
 * the requester's own token is barred, its makers are, and so is what was made with it. Other tokens of the same makers are
 * not, because all tokens of a coordinator have the same first maker.
 */
export function findBar(
  requesters: readonly Requester[],
  { name, lineage }: TokenHolder,
): ApprovalBar | undefined {
  if (requesters.length === 0) return "unknown";
  const [own = ""] = lineage;
  const bars = requesters.map((requester): ApprovalBar | undefined => {
    const { tokens } = requester;
    // Links for several people may be made with one token: the name is that of the link.
    if (tokens[0] === own) return requester.name === name ? "requester" : "session";
    if (tokens.includes(own)) return "maker";
    return lineage.includes(tokens[0] ?? "") ? "made" : undefined;
  });
  return bars.includes("requester") ? "requester" : bars.find((bar) => bar !== undefined);
}
