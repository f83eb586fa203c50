interface SdkWarnings {
  readonly warnings: readonly { readonly type: string; readonly [field: string]: unknown }[];
  readonly model?: string;
}

/** Takes the warnings of the AI SDK, which it would print to standard output, where only the answer belongs. */
export function captureSdkWarnings(report: (warning: string) => void): void {
  const reported = new Set<string>();
  Object.assign(globalThis, {
    AI_SDK_LOG_WARNINGS: ({ warnings, model }: SdkWarnings) => {
      for (const { type, feature, details, message } of warnings) {
        const what = [message, feature, details].filter(Boolean).join(": ");
        const warning = `${model ?? "the model"}: ${type === "unsupported" ? "not supported: " : ""}${what}`;
        if (!reported.has(warning)) report(warning);
        reported.add(warning);
      }
    },
  });
}
