/** Context that hooks add for the model, marked to distinguish it from the user's text. */
export function contextText(context: readonly string[]): string {
  return `<hook_context>\n${context.join("\n")}\n</hook_context>`;
}

/** What the model reads after hooks refused its answer. */
export function refusalText(reason: string): string {
  return `Your last answer was refused: ${reason}`;
}
