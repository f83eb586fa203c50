export { type Frontmatter, frontmatter } from "./frontmatter.ts";
export { eventJsonSchema, type JsonSchema, wireShape } from "./json-schema.ts";
export * from "./payloads.ts";
