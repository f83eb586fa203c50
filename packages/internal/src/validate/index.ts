export { compileSchema, type Misfit, type SchemaCheck } from "./compile-schema.ts";
export { type SchemaOptions, SchemaProblem } from "./schema-reader.ts";
