/** Printed where a project's hooks are known but Tenterhook is not installed. */
export const NOT_INSTALLED =
  "tenterhook: this project has hooks, but Tenterhook is not installed for you, so they are not enforced; run: npx tenterhook install";
