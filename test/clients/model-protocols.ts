import type { ServerResponse } from "node:http";

/** What the model does next: it calls a tool, or answers with text. */
export type Step =
  | { readonly tool: string; readonly input: Readonly<Record<string, unknown>> }
  | { readonly text: string };

let made = 0;
const newId = (prefix: string): string => `${prefix}${++made}`;

export function answerGemini(step: Step, response: ServerResponse, isStream: boolean): void {
  const part =
    "tool" in step
      ? { functionCall: { id: newId("fc"), name: step.tool, args: step.input } }
      : { text: step.text };
  const answer = {
    candidates: [{ index: 0, content: { role: "model", parts: [part] }, finishReason: "STOP" }],
    usageMetadata: { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 },
    responseId: newId("r"),
  };
  if (isStream) {
    events(response)(undefined, answer);
    response.end();
  } else json(response, answer);
}

export function answerResponses(step: Step, response: ServerResponse, model: unknown): void {
  const item =
    "tool" in step
      ? {
          type: "function_call",
          id: newId("fc_"),
          call_id: newId("call_"),
          name: step.tool,
          arguments: JSON.stringify(step.input),
          status: "completed",
        }
      : {
          type: "message",
          id: newId("msg_"),
          role: "assistant",
          status: "completed",
          content: [{ type: "output_text", text: step.text, annotations: [] }],
        };
  const whole = {
    id: newId("resp_"),
    object: "response",
    created_at: 0,
    status: "completed",
    model,
    output: [item],
    usage: {
      input_tokens: 10,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: 5,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: 15,
    },
  };
  const send = events(response);
  let number = 0;
  const emit = (type: string, fields: object) => send(type, { type, sequence_number: number++, ...fields });
  emit("response.created", { response: { ...whole, status: "in_progress", output: [], usage: null } });
  emit("response.output_item.added", { output_index: 0, item: { ...item, status: "in_progress" } });
  emit("response.output_item.done", { output_index: 0, item });
  emit("response.completed", { response: whole });
  response.end();
}

export function answerChat(step: Step, response: ServerResponse, model: unknown, isStream: boolean): void {
  const call = (name: string, input: unknown) => ({
    index: 0,
    id: newId("call_"),
    type: "function",
    function: { name, arguments: JSON.stringify(input) },
  });
  const message =
    "tool" in step
      ? { role: "assistant", content: null, tool_calls: [call(step.tool, step.input)] }
      : { role: "assistant", content: step.text };
  const finish_reason = "tool" in step ? "tool_calls" : "stop";
  const usage = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
  const common = { id: newId("chatcmpl_"), created: 0, model };
  if (!isStream) {
    const choices = [{ index: 0, message, finish_reason }];
    json(response, { ...common, object: "chat.completion", choices, usage });
    return;
  }
  const send = events(response);
  const sendDelta = (delta: object, reason: string | null, more = {}) =>
    send(undefined, {
      ...common,
      object: "chat.completion.chunk",
      choices: [{ index: 0, delta, finish_reason: reason }],
      ...more,
    });
  sendDelta(message, null);
  sendDelta({}, finish_reason, { usage });
  response.end("data: [DONE]\n\n");
}

export function answerAnthropic(
  step: Step,
  response: ServerResponse,
  model: unknown,
  isStream: boolean,
): void {
  const isTool = "tool" in step;
  const block = isTool
    ? { type: "tool_use", id: newId("toolu_"), name: step.tool, input: step.input }
    : { type: "text", text: step.text };
  const stop_reason = isTool ? "tool_use" : "end_turn";
  const message = { id: newId("msg_"), type: "message", role: "assistant", model, stop_sequence: null };
  const usage = { input_tokens: 10, output_tokens: 5 };
  if (!isStream) {
    json(response, { ...message, content: [block], stop_reason, usage });
    return;
  }
  const send = events(response);
  const emit = (type: string, fields: object) => send(type, { type, ...fields });
  emit("message_start", { message: { ...message, content: [], stop_reason: null, usage } });
  emit("content_block_start", {
    index: 0,
    content_block: isTool ? { ...block, input: {} } : { type: "text", text: "" },
  });
  emit("content_block_delta", {
    index: 0,
    delta: isTool
      ? { type: "input_json_delta", partial_json: JSON.stringify(step.input) }
      : { type: "text_delta", text: step.text },
  });
  emit("content_block_stop", { index: 0 });
  emit("message_delta", { delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 5 } });
  emit("message_stop", {});
  response.end();
}

function json(response: ServerResponse, value: unknown): void {
  response.writeHead(200, { "content-type": "application/json" });
  response.end(JSON.stringify(value));
}

function events(response: ServerResponse): (event: string | undefined, data: unknown) => void {
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
  return (event, data) =>
    void response.write(`${event === undefined ? "" : `event: ${event}\n`}data: ${JSON.stringify(data)}\n\n`);
}
