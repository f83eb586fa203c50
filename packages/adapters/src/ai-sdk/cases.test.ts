import { MockLanguageModelV3 } from "ai/test";
import { toolCases } from "./testing/cases/tools.ts";
import type { Sdk } from "./testing/sdk-rig.ts";

const sdk: Sdk = { major: 6, newModel: (mock) => new MockLanguageModelV3(mock as never) };

toolCases(sdk);
