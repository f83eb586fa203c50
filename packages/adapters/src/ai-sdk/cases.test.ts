import { MockLanguageModelV3 } from "ai/test";
import { approvalCases } from "./testing/cases/approval.ts";
import { endingCases } from "./testing/cases/endings.ts";
import { installationCases } from "./testing/cases/installation.ts";
import { nameCases } from "./testing/cases/names.ts";
import { nestedCases } from "./testing/cases/nested.ts";
import { partCases } from "./testing/cases/parts.ts";
import { preliminaryCases } from "./testing/cases/preliminary.ts";
import { settingCases } from "./testing/cases/settings.ts";
import { storedApprovalCases } from "./testing/cases/stored-approvals.ts";
import { toolCases } from "./testing/cases/tools.ts";
import { unusualCases } from "./testing/cases/unusual.ts";
import type { Sdk } from "./testing/sdk-rig.ts";

const sdk: Sdk = { major: 6, newModel: (mock) => new MockLanguageModelV3(mock as never) };

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
