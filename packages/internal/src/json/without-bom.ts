/** A text without the byte order mark that some editors and shells of Windows put in front; `JSON.parse` refuses it. */
export function withoutBom(text: string): string {
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
}
