/** Connections to the plain venue's database. */
import postgres from "postgres";

/** What a client connects with. */
export interface ClusterAddress {
  readonly port: number;
  readonly user: string;
  /** The directory of the socket. */
  readonly socketDirectory: string;
}

/** At most so many connections; each is made when it is first needed. */
export function connect(address: ClusterAddress, connections: number): postgres.Sql {
  const { port, user, socketDirectory } = address;
  return postgres({
    path: `${socketDirectory}/.s.PGSQL.${port}`,
    user,
    database: "postgres",
    max: connections,
    onnotice: () => {},
  });
}
