import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { nextMessage } from "../next-message.ts";
import { ThinClient } from "./thin-client.ts";

/** A bare server in another process, asked in the same way as the coordinator. */
export class BareProcess {
  readonly client: ThinClient;
  readonly #process: ChildProcess;

  private constructor(child: ChildProcess, client: ThinClient) {
    this.#process = child;
    this.client = client;
  }

  static async start(
    program: "bare-queue-process" | "boss-process",
    databaseUrl: string,
  ): Promise<BareProcess> {
    const child = fork(fileURLToPath(new URL(`${program}.js`, import.meta.url)), [databaseUrl]);
    const { url, token } = await nextMessage<{ url: string; token: string }>(child, program);
    return new BareProcess(child, new ThinClient(new URL(url), token));
  }

  async close(): Promise<void> {
    this.client.close();
    this.#process.kill("SIGKILL");
    await once(this.#process, "exit");
  }
}
