/**
 * The part of `@mastra/core` that the adapter calls. The package is not installed in the workspace, because it declares a newer Node;
 * `test/adapters/mastra` compiles against its own types.
 */
declare module "@mastra/core/llm" {
  export function resolveModelConfig(
    model: unknown,
    requestContext?: unknown,
    mastra?: unknown,
  ): Promise<unknown>;
}
