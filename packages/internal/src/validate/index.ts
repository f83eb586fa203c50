export { compileSchema, type SchemaCheck, type Violation } from "./compile-schema.ts";
export { type SchemaOptions, SchemaProblem } from "./schema-reader.ts";
