import * as sdk from "ai";

/** Whether the installed SDK is version 7: it has `toolApproval`, and keeps what `prepareStep` returns for later steps. */
export const isVersion7 = "experimental_createSteering" in sdk;
