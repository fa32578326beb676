/** ccxt as its users install it, once for each clone. */
import { hasProgram } from "../e2e/pasted_folder.ts";

/** The newest versions of the packages, on npm and on PyPI. */
const NPM_VERSION = "4.5.84";
const PYPI_VERSION = "4.5.90";
const FOLDER = new URL("../../.built/", import.meta.url);
/** How long an installation may take, in ms: without a network it must not hold a run up. */
const INSTALL_MS = 90_000;

/** An installed package. */
export interface Package {
  readonly folder: string;
  /** Why there is none, else null. */
  readonly why: string | null;
}

/** A language's way to install a package. */
interface Installer {
  readonly program: string;
  readonly version: string;
  readonly arguments: (folder: string) => readonly string[];
}

const NPM: Installer = {
  program: "npm",
  version: NPM_VERSION,
  arguments: (folder) => [
    ...["install", "--no-audit", "--no-fund", "--ignore-scripts", "--omit=optional"],
    ...["--prefer-offline", "--fetch-retries=1", "--fetch-timeout=20000", "--prefix", folder],
    `ccxt@${NPM_VERSION}`,
  ],
};
const PIP: Installer = {
  program: "python3",
  version: PYPI_VERSION,
  arguments: (folder) => [
    ...["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-compile"],
    ...["--retries", "1", "--timeout", "20", "--target", folder, `ccxt==${PYPI_VERSION}`],
  ],
};

/** Installs the package for Node, unless it is there. */
export async function ccxtForNode(): Promise<Package> {
  return await installed("node", NPM);
}

/** Installs the package for Python, unless it is there. */
export async function ccxtForPython(): Promise<Package> {
  return await installed("python", PIP);
}

async function installed(language: string, installer: Installer): Promise<Package> {
  const { program, version } = installer;
  const folder = pathOf(new URL(`ccxt_${version}_${language}`, FOLDER));
  if (await exists(folder)) return { folder, why: null };
  if (!hasProgram(program)) return { folder, why: `there is no ${program}` };
  // First under another name: half a package would be taken for a whole one.
  const half = `${folder}.${crypto.randomUUID()}`;
  await Deno.mkdir(half, { recursive: true });
  const isDone = await run(program, installer.arguments(half));
  if (isDone) await Deno.rename(half, folder).catch(() => undefined);
  if (await exists(half)) await Deno.remove(half, { recursive: true });
  return { folder, why: await exists(folder) ? null : `${program} can't install ccxt ${version}` };
}

/** Runs a program for a limited time, and returns whether it has done its work. */
async function run(program: string, args: readonly string[]): Promise<boolean> {
  const signal = AbortSignal.timeout(INSTALL_MS);
  const command = new Deno.Command(program, {
    args: [...args],
    stdout: "null",
    stderr: "null",
    signal,
  });
  return (await command.output()).success;
}

async function exists(path: string): Promise<boolean> {
  return await Deno.stat(path).then(() => true, () => false);
}

function pathOf(url: URL): string {
  const path = decodeURIComponent(url.pathname);
  return Deno.build.os === "windows" ? path.slice(1) : path;
}
