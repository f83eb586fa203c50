// Claims a folder and says how that went; gives it back when its input ends.
import { TenterhookError } from "@tenterhook/protocol";
import { lockFolder } from "../../database/embedded/folder-lock.ts";

const [folder = ""] = process.argv.slice(2);
try {
  const unlock = await lockFolder(folder);
  console.log(JSON.stringify({ held: process.pid }));
  process.stdin.resume().on("end", () => void unlock());
} catch (error) {
  if (!TenterhookError.isInstance(error)) throw error;
  console.log(JSON.stringify({ refused: error.code, message: error.message }));
  process.exit();
}
