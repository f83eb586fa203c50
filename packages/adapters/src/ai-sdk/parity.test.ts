import { MockLanguageModelV3 } from "ai/test";
import { testScenarios } from "../testing/parity/index.ts";
import { createDriver } from "./testing/parity-driver.ts";

testScenarios(createDriver("AI SDK 6", (options) => new MockLanguageModelV3(options as never)));
