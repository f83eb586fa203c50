import { cutAndReadOnly, diskFull, exhausted, slow } from "./database-outages.ts";
import { HAS_NAMESPACES } from "./small-disk.ts";
import { SHORT_SECONDS, testOutages } from "./test-outages.ts";

if (!HAS_NAMESPACES) console.warn("not tested, because there are no namespaces: a full disk of the server");

testOutages([
  { server: "has cut all connections and is read-only", outage: cutAndReadOnly, seconds: SHORT_SECONDS },
  { server: "has no free connections", outage: exhausted, seconds: SHORT_SECONDS, isPartial: true },
  { server: "lets statements time out", outage: slow, seconds: SHORT_SECONDS },
  ...(HAS_NAMESPACES ? [{ server: "has a full disk", outage: diskFull, seconds: SHORT_SECONDS }] : []),
]);
