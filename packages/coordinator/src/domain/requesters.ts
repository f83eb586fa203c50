import type { ApprovalBar } from "@tenterhook/protocol/runs";

/** One who requested a run: the name, and the token with its makers, up to the first. */
export interface Requester {
  readonly name: string;
  readonly tokens: readonly string[];
}

/** Requesters without repetition: one for each token. */
export function mergeRequesters(...lists: readonly (readonly Requester[])[]): readonly Requester[] {
  const byToken = new Map<string, Requester>();
  for (const requester of lists.flat()) {
    const [own = ""] = requester.tokens;
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
  lineage: readonly string[],
): ApprovalBar | undefined {
  if (requesters.length === 0) return "unknown";
  const [own = ""] = lineage;
  const bars = requesters.map(({ tokens }): ApprovalBar | undefined => {
    if (tokens[0] === own) return "requester";
    if (tokens.includes(own)) return "maker";
    return lineage.includes(tokens[0] ?? "") ? "made" : undefined;
  });
  return bars.includes("requester") ? "requester" : bars.find((bar) => bar !== undefined);
}
