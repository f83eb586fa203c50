import { MockLanguageModelV4 } from "ai/test";
import { createDriver } from "./node_modules/@tenterhook/adapters/dist/ai-sdk/testing/parity-driver.js";
import { testScenarios } from "./node_modules/@tenterhook/adapters/dist/testing/parity/index.js";

testScenarios(createDriver("AI SDK 7", (options) => new MockLanguageModelV4(options as never)));
