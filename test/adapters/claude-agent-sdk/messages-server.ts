import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** One answer of the model: a text, tool calls, or an HTTP error. */
export type Answer =
  | string
  | { readonly text?: string; readonly calls: readonly Call[] }
  | { readonly status: number };

export interface Call {
  readonly name: string;
  readonly input: object;
  readonly id?: string;
}

/** What the model was sent. */
export interface ModelRequest {
  readonly model: string;
  readonly stream?: boolean;
  readonly tools?: readonly unknown[];
  readonly messages: readonly { readonly role: string; readonly content: unknown }[];
}

/** The script: the answers one after another, the last one again and again; or a function. */
export type Script = readonly Answer[] | ((request: ModelRequest) => Answer);

export interface MessagesServer {
  readonly url: string;
  readonly requests: readonly ModelRequest[];
  close(): Promise<void>;
}

/** A server of the Messages API on loopback, which gives the answers of a script. */
export async function startMessagesServer(script: Script): Promise<MessagesServer> {
  const requests: ModelRequest[] = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    if (!request.url?.startsWith("/v1/messages") || request.url.includes("count_tokens")) {
      sendJson(response, 200, { input_tokens: 10 });
      return;
    }
    const asked = JSON.parse(body) as ModelRequest;
    requests.push(asked);
    const number = requests.length;
    const answer =
      typeof script === "function" ? script(asked) : (script[Math.min(number, script.length) - 1] ?? "");
    sendAnswer(response, answer, asked, number);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const USAGE = {
  input_tokens: 10,
  output_tokens: 5,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
};

function sendAnswer(response: ServerResponse, answer: Answer, request: ModelRequest, number: number): void {
  if (typeof answer === "object" && "status" in answer) {
    const error = { type: "invalid_request_error", message: "the model failed" };
    sendJson(response, answer.status, { type: "error", error });
    return;
  }
  const { text, calls = [] } = typeof answer === "string" ? { text: answer } : answer;
  const blocks = [
    ...(text === undefined ? [] : [{ type: "text", text }]),
    ...calls.map(({ name, input, id }, index) => ({
      type: "tool_use",
      id: id ?? `toolu_${number}_${index}`,
      name,
      input,
    })),
  ];
  const stop_reason = calls.length > 0 ? "tool_use" : "end_turn";
  const message = {
    id: `msg_${number}`,
    type: "message",
    role: "assistant",
    model: request.model,
    stop_sequence: null,
    usage: USAGE,
  };
  if (request.stream !== true) {
    sendJson(response, 200, { ...message, content: blocks, stop_reason });
    return;
  }
  response.writeHead(200, { "content-type": "text/event-stream" });
  const send = (type: string, data: object) =>
    response.write(`event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`);
  send("message_start", { message: { ...message, content: [], stop_reason: null } });
  for (const [index, block] of blocks.entries()) {
    const [start, delta] =
      "text" in block
        ? [
            { type: "text", text: "" },
            { type: "text_delta", text: block.text },
          ]
        : [
            { ...block, input: {} },
            { type: "input_json_delta", partial_json: JSON.stringify(block.input) },
          ];
    send("content_block_start", { index, content_block: start });
    send("content_block_delta", { index, delta });
    send("content_block_stop", { index });
  }
  send("message_delta", { delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 5 } });
  send("message_stop", {});
  response.end();
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}
