import { findText } from "@tenterhook/bridges/resident";

/**
 * Reads what the installed script has sent before the client's text, when it could not connect to a resident process; the stream continues
 * with the text. Rejects if the head is not complete.
 */
export function skipHead(source: NodeJS.ReadableStream): Promise<void> {
  return new Promise((resolve, reject) => {
    let received: Buffer = Buffer.alloc(0);
    const finish = (settle: () => void) => {
      source.pause();
      source.removeListener("data", add).removeListener("end", cut);
      settle();
    };
    const cut = () => finish(() => reject(new Error("the installed script did not send the client's text")));
    const add = (chunk: Buffer) => {
      received = Buffer.concat([received, chunk]);
      try {
        const length = findText(received);
        if (length === undefined) return;
        const text = received.subarray(length);
        finish(() => {
          if (text.length > 0) source.unshift(text);
          resolve();
        });
      } catch (error) {
        finish(() => reject(error));
      }
    };
    source.on("data", add).once("end", cut);
  });
}
