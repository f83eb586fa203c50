import { OutputEnds } from "./output-ends.ts";

/** Keeps the first bytes of an output. */
export class OutputHead extends OutputEnds {
  constructor(limit: number) {
    super(limit, 0);
  }

  /** As text; bytes that are not UTF-8 become replacement characters. */
  override toString(): string {
    return this.head.toString("utf8");
  }
}
