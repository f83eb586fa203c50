/** The text of a prompt or a message, or of all its content parts. */
export function contentText(content: unknown): string | undefined {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return undefined;
  const texts = content.map((part: unknown) =>
    typeof part === "string" ? part : (part as { text?: unknown } | null)?.text,
  );
  return texts.filter((text): text is string => typeof text === "string").join("\n");
}

/** An error as data: clients give a text, an object with a message, or something else. */
export function readError(error: unknown): {
  readonly name: string;
  readonly message: string;
  code?: string;
} {
  if (typeof error === "string") return { name: "Error", message: error };
  if (typeof error === "object" && error !== null) {
    const { name, message, code } = error as { name?: unknown; message?: unknown; code?: unknown };
    return {
      name: typeof name === "string" ? name : "Error",
      message: typeof message === "string" ? message : JSON.stringify(error),
      ...(typeof code === "string" && { code }),
    };
  }
  return { name: "Error", message: "the client did not say what went wrong" };
}
