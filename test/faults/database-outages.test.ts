import { away, locked, readOnly } from "./database-outages.ts";
import { LONG_SECONDS, SHORT_SECONDS, testOutages } from "./test-outages.ts";

testOutages([
  { server: "is read-only", outage: readOnly, seconds: LONG_SECONDS },
  { server: "is away", outage: away, seconds: SHORT_SECONDS },
  { server: "lets locks time out", outage: locked, seconds: SHORT_SECONDS },
]);
