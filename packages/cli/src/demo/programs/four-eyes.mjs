// A start hook that asks for approval: the run waits until a person has decided.
export default function fourEyes({ parameters }) {
  if (parameters.environment !== "production") return { action: "continue", parameters };
  return { action: "ask", reason: "this goes to production" };
}
