/** How an object's fields are spelled on the wire; fields not listed there are opaque and keep their names. */
export interface WireShape {
  readonly [field: string]: WireField;
}

/** A field's name on the wire; with a shape when the object, or the objects of the list, in it are renamed too. */
export type WireField = string | { readonly name: string; readonly shape: WireShape; readonly list?: true };
