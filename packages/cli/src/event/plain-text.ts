/** A text of the event table, which is written in Markdown, without its marks. */
export function plainText(markdown: string): string {
  return markdown.replaceAll(/[*`]/g, "");
}
