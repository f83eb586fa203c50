// A hook on tool calls: a refused call does not run, and the model gets the reason.
export default function toolGuard({ tool_name, tool_input }) {
  if (tool_name === "Shell" && /\brm -rf\b/.test(tool_input.command)) {
    return { action: "block", block_reason: "files are removed by people here" };
  }
  return { action: "continue" };
}
