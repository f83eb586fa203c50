import { statfs } from "node:fs/promises";

/**
 * Kinds of Linux file systems that one kernel alone can have mounted, as `statfs` numbers them: ext, XFS, Btrfs, ZFS, F2FS, bcachefs,
 * tmpfs, ramfs and overlay. Everything else counts as one that other machines may reach: NFS, SMB, FUSE, virtiofs.
 */
const LOCAL = new Set([
  0xef53, 0x58465342, 0x9123683e, 0x2fc12fc1, 0xf2f52010, 0xca451a4e, 0x01021994, 0x858458f6, 0x794c7630,
]);

/** Whether every process that can reach a folder runs on this kernel. */
export async function isLocalFileSystem(folder: string): Promise<boolean> {
  // The types have other numbers on other systems, where no container shares a folder with another kernel.
  if (process.platform !== "linux") return true;
  const { type } = await statfs(folder);
  return LOCAL.has(type >>> 0);
}
