/**
 * The rules once more, for one contender alone. The JavaScript engine remembers of a function which objects it was given: a rule
 * that several contenders share is compiled for all of their objects, and in a program there is only one of them.
 */
export function ownBodies(contender: string): Promise<typeof import("./bodies.ts")> {
  return import(new URL(`./bodies.js?for=${contender}`, import.meta.url).href);
}
