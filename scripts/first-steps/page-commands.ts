/** A command of a page, as a reader would type it. */
export interface PageCommand {
  /** One line, or a whole block with a here-document. */
  readonly text: string;
  /** The output that the page shows; `undefined` where it shows none. */
  readonly output: string | undefined;
}

/**
 * The commands of a Markdown page, in order. In a `console` block a line with `$ ` is a command, and its output follows. A `sh` block has
 * commands alone: one on each line, or one in all if it has a here-document.
 */
export function readCommands(page: string): readonly PageCommand[] {
  return [...page.matchAll(/^```(sh|console)\n(.*?)^```$/gms)].flatMap(([, language, code = ""]) =>
    language === "sh" ? shellCommands(code) : consoleCommands(code),
  );
}

function shellCommands(code: string): readonly PageCommand[] {
  const texts = code.includes("<<") ? [code.trimEnd()] : code.split("\n");
  return texts
    .filter((text) => text.trim() !== "" && !text.startsWith("#"))
    .map((text) => ({ text, output: undefined }));
}

function consoleCommands(code: string): readonly PageCommand[] {
  const [before, ...parts] = code.split(/^\$ /m);
  if (before !== "") throw new Error(`a console block begins with output, not with "$ ": ${before}`);
  return parts.map((part) => {
    const end = part.indexOf("\n");
    return { text: part.slice(0, end), output: part.slice(end + 1) };
  });
}
