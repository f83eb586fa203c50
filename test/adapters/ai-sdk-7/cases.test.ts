import { MockLanguageModelV4 } from "ai/test";
import { toolCases } from "./node_modules/@tenterhook/adapters/dist/ai-sdk/testing/cases/tools.js";
import type { Sdk } from "./node_modules/@tenterhook/adapters/dist/ai-sdk/testing/sdk-rig.js";

const sdk: Sdk = { major: 7, newModel: (mock) => new MockLanguageModelV4(mock as never) };

toolCases(sdk);
