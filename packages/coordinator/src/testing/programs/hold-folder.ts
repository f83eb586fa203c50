// Claims a folder and prints the outcome; gives it back when its input ends.
import { TenterhookError } from "@tenterhook/protocol";
import { type FolderLock, lockFolder } from "../../database/embedded/folder-lock.ts";

const [folder = "", options = "{}"] = process.argv.slice(2);
try {
  const lock = await lockFolder(folder, JSON.parse(options));
  console.log(JSON.stringify({ held: process.pid }));
  // A line asks whether it still holds the folder.
  process.stdin.on("data", () => console.log(JSON.stringify({ stillHeld: isLeased(lock) })));
  process.stdin.resume().on("end", () => void lock.release());
} catch (error) {
  if (!TenterhookError.isInstance(error)) throw error;
  console.log(JSON.stringify({ refused: error.code, message: error.message }));
  process.exit();
}

function isLeased(lock: FolderLock): boolean {
  try {
    lock.check();
    return true;
  } catch {
    return false;
  }
}
