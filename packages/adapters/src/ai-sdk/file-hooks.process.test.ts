import { MockLanguageModelV3 } from "ai/test";
import { testFileHooks } from "../testing/parity/index.ts";
import { createDriver } from "./testing/parity-driver.ts";

testFileHooks(createDriver("AI SDK 6", (options) => new MockLanguageModelV3(options as never)));
