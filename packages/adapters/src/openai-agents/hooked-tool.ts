import type { FunctionTool, Invoke, RunContext, ToolCallDetails } from "./sdk.ts";

/** What becomes the result of a tool that failed; null: the run fails. */
type ErrorFunction = (context: RunContext, error: Error, details?: ToolCallDetails) => unknown;

/** How a tool fails. */
export interface VisibleFailure {
  /** Executes the tool, and throws what it throws. */
  readonly invoke: Invoke;
  readonly errorFunction: ErrorFunction | null | undefined;
  /** What the SDK makes of an error, without an `errorFunction`. It throws where the SDK does. */
  describe(context: RunContext, error: Error): Promise<unknown>;
}

const NO_PARAMETERS = {
  name: "failure",
  description: "",
  strict: false,
  parameters: { type: "object", properties: {}, required: [], additionalProperties: true },
};

const FAILURE = Symbol.for("tenterhook.openai-agents.failure");

/**
 * Makes the SDK's `tool` function one whose tools show their failures to hooks: `const tool = hookedTool(sdk.tool)`. A tool that the
 * SDK's own function made catches its errors inside, so `after_tool_failure` and `on_error` do not fire for it. Without hooks its
 * tools behave as before, and with hooks the model reads the same text about a failure, unless a hook changed the failure.
 */
export function hookedTool<Create extends (options: never) => object>(create: Create): Create {
  const make = create as unknown as (options: object) => FunctionTool;
  const createHooked = (options: {
    readonly errorFunction?: ErrorFunction | null;
    readonly outputSchema?: unknown;
  }) => {
    const { invoke } = make({ ...options, errorFunction: null });
    const { errorFunction, outputSchema } = options;
    // The SDK hides messages of errors from the model on purpose. It exports no function for its text, but a tool that fails has it.
    const describe: VisibleFailure["describe"] = (context, error) => {
      const execute = () => Promise.reject(error);
      return make({ ...NO_PARAMETERS, outputSchema, execute }).invoke(context, "{}") as Promise<unknown>;
    };
    const failure: VisibleFailure = { invoke, errorFunction, describe };
    return Object.assign(make(options), { [FAILURE]: failure });
  };
  // The same function for its users: the options are passed on as they are.
  return createHooked as unknown as Create;
}

/** How a tool fails, if `hookedTool` made it. */
export function readFailure(tool: object): VisibleFailure | undefined {
  return (tool as { readonly [FAILURE]?: VisibleFailure })[FAILURE];
}
