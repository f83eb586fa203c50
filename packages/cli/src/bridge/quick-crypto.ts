import type { BinaryLike, Hash } from "node:crypto";
import { sha256 } from "./sha256.ts";

/** Replaces `node:crypto` in the bundle of the bridge: loading that takes longer than hashing a short text. */
const nodes = () => process.getBuiltinModule("node:crypto");

/** Longer texts are left to Node. */
const SHORT = 2_048;

/** The hash of one text, as the bridge names files: everything else is Node's. */
interface TextHash {
  update(data: BinaryLike): TextHash | Hash;
  digest(encoding: "hex"): string;
}

export function createHash(algorithm: string): TextHash {
  if (algorithm !== "sha256") return nodes().createHash(algorithm);
  return {
    update(data) {
      const isShort = typeof data === "string" && data.length <= SHORT;
      return isShort ? new ShortHash(data) : nodes().createHash(algorithm).update(data);
    },
    digest: (encoding) => nodes().createHash(algorithm).digest(encoding),
  };
}

/** One short text; a second `update` switches to Node's hash. */
class ShortHash implements TextHash {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  update(data: BinaryLike): Hash {
    return nodes().createHash("sha256").update(this.#text).update(data);
  }

  digest(encoding: "hex"): string {
    return encoding === "hex"
      ? sha256(this.#text)
      : nodes().createHash("sha256").update(this.#text).digest(encoding);
  }
}

export const randomUUID = () => nodes().randomUUID();
export const randomBytes = (size: number) => nodes().randomBytes(size);
export const hash = (algorithm: string, text: string, encoding: "hex"): string =>
  nodes().hash(algorithm, text, encoding);
