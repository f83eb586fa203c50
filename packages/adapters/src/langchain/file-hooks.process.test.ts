import { testFileHooks } from "../testing/parity/index.ts";
import { driver } from "./testing/parity-driver.ts";

testFileHooks(driver);
