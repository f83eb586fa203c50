const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/**
 * Replaces each `${NAME}` in a text by what `read` returns for the name. Values are not expanded again. `isName` is false for a `${…}`
 * that has something else between its braces.
 */
export function fillVariables(text: string, read: (name: string, isName: boolean) => string): string {
  return text.replaceAll(/\$\{([^}]*)\}/g, (_, name: string) => read(name, NAME.test(name)));
}
