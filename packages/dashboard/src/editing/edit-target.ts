import type { JsonObject } from "./json-object.ts";
import type { FieldProblem } from "./problems.ts";

/** A saved version, as the editor needs it. */
export interface SavedVersion {
  readonly value: JsonObject;
  readonly etag: string;
  readonly updatedAt: string;
}

/** What is edited: an agent or a hook. */
export interface EditTarget {
  /** Of the editor. Drafts are kept by it. */
  readonly address: string;
  /** As it was last read; `undefined` when it is new. */
  readonly saved: SavedVersion | undefined;
  /** Another user has deleted it since it was read. */
  readonly isDeleted: boolean;
  /** The initial value of a new one. */
  readonly blank: JsonObject;
  readonly problems: (value: JsonObject) => readonly FieldProblem[];
  /** The value with all defaults, for comparisons. */
  readonly normal: (value: JsonObject) => JsonObject;
  readonly save: (value: JsonObject, headers: Readonly<Record<string, string>>) => Promise<SavedVersion>;
  /** Reads it again; fails with `not_found` when it was deleted. */
  readonly reread: () => Promise<unknown>;
  readonly onSaved: (saved: SavedVersion, isNew: boolean) => void;
}
