import type { BinaryLike, Hash } from "node:crypto";
import { sha256 } from "./sha256.ts";

/** Replaces `node:crypto` in the bundle of the bridge: loading that takes longer than hashing a short text. */
const nodes = () => process.getBuiltinModule("node:crypto");

/** Longer texts are left to Node. */
const SHORT = 2_048;

export function createHash(algorithm: string): TextHash | Hash {
  return algorithm === "sha256" ? new TextHash() : nodes().createHash(algorithm);
}

/** The hash of one short text, as the bridge names files; for everything else it uses Node's. */
class TextHash {
  #text: string | undefined;
  #nodes: Hash | undefined;

  update(data: BinaryLike): this {
    const isFirst = this.#text === undefined && this.#nodes === undefined;
    if (isFirst && typeof data === "string" && data.length <= SHORT) this.#text = data;
    else this.#node().update(data);
    return this;
  }

  digest(encoding: "hex"): string {
    const isText = this.#text !== undefined && this.#nodes === undefined && encoding === "hex";
    return isText ? sha256(this.#text ?? "") : this.#node().digest(encoding);
  }

  #node(): Hash {
    this.#nodes ??= nodes()
      .createHash("sha256")
      .update(this.#text ?? "");
    return this.#nodes;
  }
}

export const randomUUID = () => nodes().randomUUID();
export const randomBytes = (size: number) => nodes().randomBytes(size);
export const hash = (algorithm: string, text: string, encoding: "hex"): string =>
  nodes().hash(algorithm, text, encoding);
