// A start hook that lets a person decide: the run waits as an approval until somebody has.
export default function fourEyes({ parameters }) {
  if (parameters.environment !== "production") return { action: "continue", parameters };
  return { action: "ask", reason: "this goes to production" };
}
