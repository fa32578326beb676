/** How much processor time each thread of a process has used, as Linux counts it. */

/** The clock tick of Linux, in µs. */
const TICK_MICROS = 10_000;

/** Processor time by name, in µs; threads of one kind count together. */
export type ThreadTimes = ReadonlyMap<string, number>;

/** Returns the times of a process's threads; null where the system does not tell. */
export async function readThreadTimes(pid: number): Promise<ThreadTimes | null> {
  if (Deno.build.os !== "linux") return null;
  // Deno itself may only read these files with all permissions. A thread may end meanwhile.
  const { stdout } = await new Deno.Command("sh", {
    args: ["-c", 'cat "/proc/$0/task/"*/stat', String(pid)],
    stderr: "null",
  }).output();
  return parseThreadTimes(pid, new TextDecoder().decode(stdout));
}

/** Reads lines of `/proc/<pid>/task/<tid>/stat`. */
export function parseThreadTimes(pid: number, text: string): ThreadTimes {
  const times = new Map<string, number>();
  for (const line of text.split("\n")) {
    const [, tid, name = "", rest] = /^(\d+) \((.*)\) (.*)$/.exec(line) ?? [];
    if (rest === undefined) continue;
    // User and system time; the rest begins with the third field.
    const fields = rest.split(" ");
    const micros = (Number(fields[11]) + Number(fields[12])) * TICK_MICROS;
    const kind = Number(tid) === pid ? "main" : kindOf(name);
    times.set(kind, (times.get(kind) ?? 0) + micros);
  }
  return times;
}

/** Returns what was used between two readings, the most first. */
export function usedBetween(before: ThreadTimes, after: ThreadTimes): [string, number][] {
  return [...after]
    .map(([kind, micros]): [string, number] => [kind, micros - (before.get(kind) ?? 0)])
    .sort(([, a], [, b]) => b - a);
}

/** Names threads that serve together alike; each worker stays for itself. */
function kindOf(name: string): string {
  if (name.startsWith("worker-")) return name;
  return name.replace(/\d+$/, "*");
}
