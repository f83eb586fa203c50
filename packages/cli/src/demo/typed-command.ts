/** How the user of this process types the command: after `npx` or `npm run` it is not on the PATH, but npx finds it. */
export function typedCommand(): string {
  return process.env.npm_lifecycle_event === undefined ? "tenterhook" : "npx tenterhook";
}
