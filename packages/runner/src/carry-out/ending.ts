/** How a run ended, as the coordinator is told of it. */
export type Ending =
  | {
      readonly type: "completed";
      readonly resultText: string | null;
      readonly resultData: Readonly<Record<string, unknown>> | null;
    }
  | { readonly type: "failed"; readonly error: string; readonly errorCode: string }
  | { readonly type: "stopped"; readonly reason: string };

/** The body of the report about it. Errors are for people, who read neither thousands of lines nor base64. */
export function endingFacts(ending: Ending): Readonly<Record<string, unknown>> {
  switch (ending.type) {
    case "completed":
      return { result_text: ending.resultText, result_data: ending.resultData };
    case "failed":
      return { error: ending.error.slice(0, MOST_IN_ERROR), error_code: ending.errorCode.slice(0, 100) };
    case "stopped":
      return { reason: ending.reason.slice(0, MOST_IN_ERROR) };
  }
}

const MOST_IN_ERROR = 10_000;
