import { COMPLETE } from "../call/encode/complete-answer.ts";

/** What the resident process answers a call with. */
export type ResidentAnswer =
  | {
      readonly type: "answer";
      readonly stdout: string;
      readonly stderr: string;
      /** The client's exit code. */
      readonly exit: 0 | 2;
    }
  | {
      /** No hook has run: the front starts the cold bridge, with the client's text from a file in the resident process's folder. */
      readonly type: "cold";
      /** The file's name, see `textName`. */
      readonly text: string;
    };

/** The name of a file with the text of a call that is declined; mode 0600. The cold bridge removes it. */
export function textName(id: string): string {
  return `text-${id}`;
}

/**
 * The body of a response with status 200, four lines:
 *
 *     SECRET 40 | SECRET 42 | SECRET cold
 *     e…                standard error
 *     o…                standard output, or the name of the file with the text
 *     SECRET end
 *
 * The parts are escaped for `printf %b`, so that each is one line: shells split lines quickly, and cut long values slowly.
 */
export function formatResponse(secret: string, answer: ResidentAnswer): string {
  const [code, stderr, stdout] =
    answer.type === "cold"
      ? ["cold", "", answer.text]
      : [answer.exit === 0 ? COMPLETE.passed : COMPLETE.refused, answer.stderr, answer.stdout];
  // The script ends standard output with one line break, as it does for the cold bridge.
  const lines = [`${secret} ${code}`, `e${escaped(stderr)}`, `o${escaped(stdout.replace(/\n+$/, ""))}`];
  return `${lines.join("\n")}\n${secret} end\n`;
}

/** A shell drops NUL bytes of what it reads. */
function escaped(text: string): string {
  return text.replaceAll("\0", "").replaceAll("\\", "\\\\").replaceAll("\n", "\\n");
}
