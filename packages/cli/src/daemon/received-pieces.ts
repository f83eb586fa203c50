import { EventEmitter } from "node:events";
import type { TextSource } from "../bridge/read-text.ts";

/** The pieces of a client's text, the last of which is empty. They are stored until somebody reads them, and dropped afterwards. */
export class ReceivedPieces extends EventEmitter implements TextSource {
  #state: "stored" | "read" | "dropped" = "stored";
  readonly #stored: Buffer[] = [];

  add(piece: Buffer): void {
    if (this.#state === "stored") this.#stored.push(piece);
    else if (this.#state === "read") this.emit(piece.length > 0 ? "data" : "end", piece);
  }

  resume(): void {
    if (this.#state !== "stored") return;
    this.#state = "read";
    for (const piece of this.#stored.splice(0)) this.add(piece);
  }

  pause(): void {
    this.#state = "dropped";
    this.#stored.length = 0;
  }
}
