/** The message to an agent: the one among its parameters, else all parameters as JSON. */
export function messageText(parameters: Readonly<Record<string, unknown>>): string {
  const { message, prompt } = parameters;
  if (typeof message === "string") return message;
  if (typeof prompt === "string") return prompt;
  return JSON.stringify(parameters, null, 2);
}
