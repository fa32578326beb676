/** Connections to the database of the plain venue. */
import postgres from "postgres";

/** The address of a cluster. */
export interface ClusterAddress {
  readonly port: number;
  readonly user: string;
  /** The directory of the Unix socket. */
  readonly socketDirectory: string;
}

/**
 * Returns a pool of up to `connections` connections, each opened on first use.
 *
 * @param parameters PostgreSQL's own, for these connections
 */
export function connect(
  address: ClusterAddress,
  connections: number,
  parameters: Readonly<Record<string, string>> = {},
): postgres.Sql {
  const { port, user, socketDirectory } = address;
  return postgres({
    path: `${socketDirectory}/.s.PGSQL.${port}`,
    user,
    database: "postgres",
    max: connections,
    connection: parameters,
    onnotice: () => {},
  });
}
