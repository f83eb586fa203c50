import { statSync } from "node:fs";
import { isAbsolute } from "node:path";
import { hasCredentials } from "@tenterhook/engine/process";
import { ownField } from "@tenterhook/internal";
import type { Environment } from "../caller/environment.ts";
import { cleanPathList, isInProject, isOfProcess, type Surroundings } from "./surroundings.ts";
import { DROPPED, isLanguage, SET_ASIDE } from "./variable-families.ts";
import { TOO_MANY, type VariableList } from "./variable-list.ts";
import { type VariableRule, variableRule } from "./variable-rule.ts";

/** Adds the variables that a hook inherits, besides those in the list: `allowed` as they are, others by their rules. */
export class Inheriting {
  readonly #list: VariableList;
  readonly #allowed: readonly string[];
  readonly #projects: readonly string[];
  readonly #inherited: Environment;
  #isFinal = true;

  constructor(
    list: VariableList,
    allowed: readonly string[],
    { projects }: Surroundings,
    inherited: Environment,
  ) {
    this.#list = list;
    this.#allowed = allowed;
    this.#projects = projects;
    this.#inherited = inherited;
    // Before the others, which may exceed what is left.
    for (const name of allowed) {
      const value = ownField(inherited, name) ?? inherited[SET_ASIDE + name];
      if (value !== undefined && !list.has(name)) list.put(name, value);
    }
    for (const name of Object.keys(inherited)) this.#add(name);
  }

  /** Whether the same environment has the same result the next time. */
  get isFinal(): boolean {
    return this.#isFinal;
  }

  #add(found: string): void {
    const name = found.startsWith(SET_ASIDE) ? found.slice(SET_ASIDE.length) : found;
    if (name === "" || this.#allowed.includes(name) || this.#list.has(name)) return;
    if (name === DROPPED) this.#addDropped(this.#inherited[found] ?? "");
    else this.#take(name, found);
  }

  #addDropped(names: string): void {
    for (const name of names.split(" ").filter(Boolean)) this.#list.omit(name, TOO_MANY);
  }

  #take(name: string, found: string): void {
    const rule = variableRule(name);
    const value = this.#inherited[found];
    const why = value === undefined ? undefined : this.#reason(rule, value);
    if (why !== undefined) this.#list.omit(name, { why });
    else if (rule.type === "path_list") this.#takeFolders(name, value ?? "");
    else if (value !== undefined) this.#list.put(name, value);
  }

  /** Why a variable is not passed on. */
  #reason(rule: VariableRule, value: string): string | undefined {
    switch (rule.type) {
      case "removed":
        return `it steers ${rule.steers}`;
      case "secret":
        return "it looks like a secret";
      case "pass":
        return hasCredentials(value) ? "its value has a password in it" : undefined;
      case "language":
        return isLanguage(value) ? undefined : "it is not the name of a language";
      case "path":
        if (isFileOutside(value, this.#projects)) return undefined;
        // It may exist the next time.
        this.#isFinal = false;
        return "it names nothing that exists outside the project";
      case "path_list":
        return undefined;
    }
  }

  #takeFolders(name: string, value: string): void {
    const clean = cleanPathList(value, this.#projects);
    if (clean !== "") this.#list.put(name, clean);
    if (clean !== value && (clean === "" || this.#list.has(name)))
      this.#list.omit(name, { why: "it loses relative folders and those of the project" });
  }
}

/** Whether a path leads to something outside the projects. */
function isFileOutside(path: string, projects: readonly string[]): boolean {
  if (!isAbsolute(path) || isOfProcess(path) || isInProject(path, projects)) return false;
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}
