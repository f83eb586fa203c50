import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { answerAnthropic, answerChat, answerGemini, answerResponses, type Step } from "./model-protocols.ts";

/** One request that a client sent to its model. */
export interface ModelRequest {
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/**
 * A model on loopback that plays steps: it speaks the protocols of Anthropic, OpenAI (both) and Gemini. Only requests that declare tools
 * take a step; titles, classifications and the like are answered with "ok".
 */
export class FakeModel {
  readonly requests: ModelRequest[] = [];
  #steps: Step[] = [];
  readonly #server: Server;

  constructor() {
    this.#server = createServer((request, response) => void this.#answer(request, response));
  }

  /** Begins a session with these steps. */
  play(steps: readonly Step[]): void {
    this.#steps = [...steps];
  }

  /** Returns the address; it listens from the first call on. */
  async listen(): Promise<string> {
    if (!this.#server.listening)
      await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Everything that came with tools after so many requests, as text: only then is it the model that works on the task. */
  receivedSince(count: number): string {
    return this.requests
      .slice(count)
      .filter(({ body }) => hasTools(body))
      .map(({ body }) => JSON.stringify(body))
      .join("\n");
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const path = (request.url ?? "").split("?")[0] ?? "";
    const body = parsed(Buffer.concat(chunks).toString());
    this.requests.push({ path, body });
    if (/:(?:streamG|g)enerateContent$/.test(path))
      return answerGemini(this.#step(hasTools(body)), response, path.includes(":stream"));
    if (path.endsWith("/responses")) return answerResponses(this.#step(hasTools(body)), response, body.model);
    if (path.endsWith("/chat/completions"))
      return answerChat(this.#step(hasTools(body)), response, body.model, body.stream === true);
    if (path.endsWith("/messages"))
      return answerAnthropic(this.#step(hasTools(body)), response, body.model, body.stream === true);
    const counted = /count_?tokens$/i.test(path);
    response.writeHead(counted || request.method === "POST" ? 200 : 404, {
      "content-type": "application/json",
    });
    response.end(counted ? '{"input_tokens":10,"totalTokens":10}' : "{}");
  }

  #step(isMain: boolean): Step {
    return isMain ? (this.#steps.shift() ?? { text: "done" }) : { text: "ok" };
  }
}

/** Whether a request declares a tool, in any of the protocols. Gemini's list has an entry for each kind of tool, which may be empty. */
function hasTools({ tools }: ModelRequest["body"]): boolean {
  if (!Array.isArray(tools)) return false;
  return tools.some(({ functionDeclarations }) => functionDeclarations?.length !== 0);
}

function parsed(text: string): ModelRequest["body"] {
  try {
    return JSON.parse(text) as ModelRequest["body"];
  } catch {
    return {};
  }
}
