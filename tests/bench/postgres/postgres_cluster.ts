/** A PostgreSQL server in its own directory, with durable commits. */
import { freePort } from "../load/server_process.ts";
import type { ClusterAddress } from "./connect.ts";

/** Where Debian installs programs that are not on the path. */
const DEBIAN_DIRECTORY = "/usr/lib/postgresql";
/** PostgreSQL refuses to run as root, and then runs as this user. */
const SERVER_USER = "postgres";
const SETTINGS = [
  "fsync=on",
  "synchronous_commit=on",
  "shared_buffers=1GB",
  "listen_addresses=127.0.0.1",
];
const STARTUP_MS_MAX = 30_000;
const POLL_MS = 20;

/** The user of a process; empty for the present one. */
type RunAs = { readonly uid: number; readonly gid: number } | Record<string, never>;

/** Returns the directory of PostgreSQL's newest programs; null if it is not installed. */
export async function findPostgres(): Promise<string | null> {
  const versions: number[] = [];
  try {
    for await (const { name } of Deno.readDir(DEBIAN_DIRECTORY)) versions.push(Number(name));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return null;
    throw error;
  }
  const newest = Math.max(...versions.filter(Number.isInteger));
  return Number.isFinite(newest) ? `${DEBIAN_DIRECTORY}/${newest}/bin` : null;
}

/** A running server, to be ended by `stop`. */
export class PostgresCluster {
  private constructor(
    readonly version: string,
    readonly address: ClusterAddress,
    private readonly server: Deno.ChildProcess,
    private readonly directory: string,
  ) {}

  /** Creates and starts a server beneath a directory, which becomes searchable for other users. */
  static async start(programs: string, beneath: string): Promise<PostgresCluster> {
    const runAs = await serverUser();
    const directory = await Deno.makeTempDir({ dir: beneath, prefix: "postgres_" });
    try {
      if (runAs.uid !== undefined) {
        await Deno.chmod(beneath, 0o711);
        await Deno.chown(directory, runAs.uid, runAs.gid);
      }
      const user = "venue";
      const port = freePort();
      await run(`${programs}/initdb`, runAs, [
        `--pgdata=${directory}/data`,
        `--username=${user}`,
        "--auth=trust",
        "--encoding=UTF8",
        "--no-locale",
      ]);
      const version = await run(`${programs}/postgres`, runAs, ["--version"]);
      const server = new Deno.Command(`${programs}/postgres`, {
        args: ["-D", `${directory}/data`, "-p", String(port), "-k", directory]
          .concat(SETTINGS.flatMap((setting) => ["-c", setting])),
        cwd: directory,
        ...runAs,
        stdin: "null",
        stdout: "null",
        stderr: "null",
      }).spawn();
      const address = { port, user, socketDirectory: directory };
      const cluster = new PostgresCluster(version.trim(), address, server, directory);
      await cluster.#ready(programs, runAs);
      return cluster;
    } catch (error) {
      await Deno.remove(directory, { recursive: true });
      throw error;
    }
  }

  /** Stops the server and removes its directory. */
  async stop(): Promise<void> {
    // This disconnects its clients and shuts it down cleanly.
    this.server.kill("SIGINT");
    await this.server.status;
    await Deno.remove(this.directory, { recursive: true });
  }

  async #ready(programs: string, runAs: RunAs): Promise<void> {
    const { port, user, socketDirectory } = this.address;
    const args = ["-h", socketDirectory, "-p", String(port), "-U", user, "-q"];
    const command = new Deno.Command(`${programs}/pg_isready`, { args, ...runAs });
    const deadline = performance.now() + STARTUP_MS_MAX;
    let isOver = false;
    this.server.status.then(() => isOver = true);
    while (!(await command.output()).success) {
      if (isOver || performance.now() > deadline) {
        if (!isOver) this.server.kill("SIGKILL");
        throw new Error("PostgreSQL did not become ready");
      }
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  }
}

async function serverUser(): Promise<RunAs> {
  if (Deno.uid() !== 0) return {};
  const users = await Deno.readTextFile("/etc/passwd");
  const fields = users.split("\n").map((line) => line.split(":"))
    .find(([name]) => name === SERVER_USER);
  if (fields === undefined) throw new Error(`There is no user "${SERVER_USER}" to run PostgreSQL`);
  return { uid: Number(fields[2]), gid: Number(fields[3]) };
}

async function run(program: string, runAs: RunAs, args: readonly string[]): Promise<string> {
  const command = new Deno.Command(program, { args: [...args], cwd: "/", ...runAs });
  const { success, stdout, stderr } = await command.output();
  const decoder = new TextDecoder();
  if (!success) throw new Error(`${program} failed: ${decoder.decode(stderr)}`);
  return decoder.decode(stdout);
}
