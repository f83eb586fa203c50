interface SdkWarnings {
  readonly warnings: readonly { readonly type: string; readonly [field: string]: unknown }[];
  readonly model?: string;
}

/** The AI SDK prints its warnings to standard output unless somebody else takes them; there, only the answer may be. */
export function captureSdkWarnings(tell: (warning: string) => void): void {
  const said = new Set<string>();
  Object.assign(globalThis, {
    AI_SDK_LOG_WARNINGS: ({ warnings, model }: SdkWarnings) => {
      for (const { type, feature, details, message } of warnings) {
        const what = [message, feature, details].filter(Boolean).join(": ");
        const warning = `${model ?? "the model"}: ${type === "unsupported" ? "not supported: " : ""}${what}`;
        if (!said.has(warning)) tell(warning);
        said.add(warning);
      }
    },
  });
}
