import { MockLanguageModelV3 } from "ai/test";
import { approvalCases } from "./testing/cases/approval.ts";
import { endingCases } from "./testing/cases/endings.ts";
import { partCases } from "./testing/cases/parts.ts";
import { settingCases } from "./testing/cases/settings.ts";
import { toolCases } from "./testing/cases/tools.ts";
import type { Sdk } from "./testing/sdk-rig.ts";

const sdk: Sdk = { major: 6, newModel: (mock) => new MockLanguageModelV3(mock as never) };

approvalCases(sdk);
endingCases(sdk);
toolCases(sdk);
partCases(sdk);
settingCases(sdk);
