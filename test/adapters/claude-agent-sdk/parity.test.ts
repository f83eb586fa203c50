import {
  testFileHooks,
  testScenarios,
  testSetUp,
} from "./node_modules/@tenterhook/adapters/dist/testing/parity/index.js";
import { driver } from "./parity-driver.ts";

testScenarios(driver);
testSetUp(driver);
testFileHooks(driver);
