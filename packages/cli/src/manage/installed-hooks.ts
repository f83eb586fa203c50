import { loadClients } from "@tenterhook/bridges";
import { installedEnvironment } from "@tenterhook/bridges/install";
import { FileHooks } from "@tenterhook/file-hooks";
import { fileLocation } from "../clients/surroundings.ts";

/** The hooks in the folders that coding agents use, also when this shell does not set the XDG variables of the installation. */
export async function installedHooks(): Promise<FileHooks> {
  const env = installedEnvironment(await loadClients(), process.cwd(), process.env, fileLocation());
  return new FileHooks({ env });
}
