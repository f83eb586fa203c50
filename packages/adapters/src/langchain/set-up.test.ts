import { testSetUp } from "../testing/parity/index.ts";
import { driver } from "./testing/parity-driver.ts";

testSetUp(driver);
