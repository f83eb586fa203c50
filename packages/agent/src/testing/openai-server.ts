import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { messageOf } from "@tenterhook/internal";
import { abortable } from "../model/abort.ts";
import { type Script, ScriptPlayer, scriptedCall } from "../model/scripted/script.ts";
import { type ChatRequest, chunks, completion, type ScriptedReply } from "./openai-wire.ts";

/** A received request. */
export interface OpenAiRequest {
  readonly body: ChatRequest & Readonly<Record<string, unknown>>;
  readonly headers: IncomingHttpHeaders;
  /** Fires when the connection ends before the answer is complete. */
  readonly signal: AbortSignal;
}

/** A server with the API of OpenAI that answers from a script. */
export interface OpenAiServer {
  /** The base URL, including `/v1`. */
  readonly url: string;
  /** The requests, oldest first. */
  readonly requests: readonly OpenAiRequest[];
  /** Closes every connection and the server. */
  close(): Promise<void>;
}

/**
 * A server on loopback with OpenAI's chat completions API, streamed or not, that answers from a script: for tests over HTTP. Errors
 * are answered with their `statusCode`, and so is a script that has ended (500).
 */
export async function openAiServer(
  script: Script<OpenAiRequest>,
  options: { readonly repeat?: boolean | undefined } = {},
): Promise<OpenAiServer> {
  const requests: OpenAiRequest[] = [];
  const player = new ScriptPlayer(script, options.repeat);
  const server = createServer((incoming, response) => {
    const client = new AbortController();
    response.once("close", () => response.writableFinished || client.abort());
    answer(incoming, response, client.signal).catch((error: unknown) => {
      if (!client.signal.aborted) fail(response, error);
    });
  });

  async function answer(incoming: IncomingMessage, response: ServerResponse, signal: AbortSignal) {
    if (incoming.method !== "POST" || incoming.url !== "/v1/chat/completions") {
      throw Object.assign(new Error("There is only POST /v1/chat/completions here."), { statusCode: 404 });
    }
    const request = { body: JSON.parse(await text(incoming)), headers: incoming.headers, signal };
    requests.push(request);
    const turn = await abortable(signal, async () => player.next(request));
    const scripted = typeof turn === "string" ? { text: turn } : turn;
    if (scripted.error !== undefined) throw scripted.error;
    if (scripted.toolCalls?.some((call) => call.executed !== undefined)) {
      throw new Error("Chat completions have no format for calls that the provider executed.");
    }
    const calls = scripted.toolCalls?.map((call) => scriptedCall(call, () => player.callId())) ?? [];
    send(response, { request: request.body, answer: scripted, calls, number: player.calls });
  }

  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/v1`,
    requests,
    async close() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

function send(response: ServerResponse, reply: ScriptedReply): void {
  const { halfway } = reply.answer;
  const pieces = reply.request.stream ? events(reply) : halves(JSON.stringify(completion(reply)));
  response.writeHead(200, {
    "content-type": reply.request.stream ? "text/event-stream" : "application/json",
  });
  const sent = halfway === undefined ? pieces : pieces.slice(0, Math.ceil(pieces.length / 2));
  for (const piece of sent) response.write(piece);
  if (halfway === undefined) response.end();
  // After the last piece, which would otherwise be lost with the connection.
  else if (halfway === "cut") response.write("\n", () => response.destroy());
}

function events(reply: ScriptedReply): string[] {
  return [...chunks(reply).map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`), "data: [DONE]\n\n"];
}

function halves(body: string): string[] {
  const middle = Math.ceil(body.length / 2);
  return [body.slice(0, middle), body.slice(middle)];
}

function fail(response: ServerResponse, error: unknown): void {
  const { statusCode = 500, responseHeaders = {} } = Object(error) as {
    statusCode?: number;
    responseHeaders?: Record<string, string>;
  };
  response.writeHead(statusCode, { ...responseHeaders, "content-type": "application/json" });
  response.end(JSON.stringify({ error: { message: messageOf(error), type: "scripted", code: statusCode } }));
}
