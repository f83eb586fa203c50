import { MockLanguageModelV4 } from "ai/test";
import { approvalCases } from "./node_modules/@tenterhook/adapters/dist/ai-sdk/testing/cases/approval.js";
import { endingCases } from "./node_modules/@tenterhook/adapters/dist/ai-sdk/testing/cases/endings.js";
import { installationCases } from "./node_modules/@tenterhook/adapters/dist/ai-sdk/testing/cases/installation.js";
import { nameCases } from "./node_modules/@tenterhook/adapters/dist/ai-sdk/testing/cases/names.js";
import { nestedCases } from "./node_modules/@tenterhook/adapters/dist/ai-sdk/testing/cases/nested.js";
import { partCases } from "./node_modules/@tenterhook/adapters/dist/ai-sdk/testing/cases/parts.js";
import { preliminaryCases } from "./node_modules/@tenterhook/adapters/dist/ai-sdk/testing/cases/preliminary.js";
import { settingCases } from "./node_modules/@tenterhook/adapters/dist/ai-sdk/testing/cases/settings.js";
import { storedApprovalCases } from "./node_modules/@tenterhook/adapters/dist/ai-sdk/testing/cases/stored-approvals.js";
import { toolCases } from "./node_modules/@tenterhook/adapters/dist/ai-sdk/testing/cases/tools.js";
import { unusualCases } from "./node_modules/@tenterhook/adapters/dist/ai-sdk/testing/cases/unusual.js";
import type { Sdk } from "./node_modules/@tenterhook/adapters/dist/ai-sdk/testing/sdk-rig.js";

const sdk: Sdk = { major: 7, newModel: (mock) => new MockLanguageModelV4(mock as never) };

approvalCases(sdk);
endingCases(sdk);
toolCases(sdk);
partCases(sdk);
settingCases(sdk);
preliminaryCases(sdk);
installationCases(sdk);
unusualCases(sdk);
storedApprovalCases(sdk);
nameCases(sdk);
nestedCases(sdk);
