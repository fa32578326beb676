/** A small disk in memory, if the tests may mount one. */

const FILL_STEP_BYTES = 64 * 1024;
const FILL = new Uint8Array(FILL_STEP_BYTES).fill(7);

/** A mounted disk in memory. */
export class SmallDisk {
  private constructor(readonly directory: string) {}

  /** Returns why no disk can be mounted, or false if one can. */
  static whyNot(): string | false {
    if (Deno.build.os !== "linux") return "a disk in memory is mounted on Linux alone";
    const directory = Deno.makeTempDirSync({ prefix: "venue_mount_" });
    try {
      if (!mount(["-t", "tmpfs", "-o", "size=64k", "tmpfs", directory])) return "may not mount";
      run("umount", [directory]);
      return false;
    } finally {
      Deno.removeSync(directory);
    }
  }

  /** Mounts a disk. */
  static mount(mebibytes: number): SmallDisk {
    const directory = Deno.makeTempDirSync({ prefix: "venue_disk_" });
    if (!mount(["-t", "tmpfs", "-o", `size=${mebibytes}m,mode=700`, "tmpfs", directory])) {
      throw new Error(`No disk could be mounted at ${directory}`);
    }
    return new SmallDisk(directory);
  }

  /** Fills the disk, except for `roomBytes`. */
  fill(roomBytes: number = 0): void {
    using file = Deno.openSync(this.#filling, { create: true, append: true });
    let step = FILL_STEP_BYTES;
    while (step >= 1) {
      try {
        if (file.writeSync(FILL.subarray(0, step)) < step) step = Math.floor(step / 2);
      } catch {
        step = Math.floor(step / 2);
      }
    }
    file.truncateSync(file.statSync().size - roomBytes);
  }

  /** Frees the filled space. */
  free(): void {
    Deno.removeSync(this.#filling);
  }

  /** Makes the disk read-only, even for root, or writable again. */
  setReadOnly(isReadOnly: boolean): void {
    const mode = isReadOnly ? "remount,ro" : "remount,rw";
    if (!mount(["-o", mode, this.directory])) throw new Error(`The disk does not go ${mode}`);
  }

  [Symbol.dispose](): void {
    run("umount", ["--lazy", this.directory]);
    Deno.removeSync(this.directory);
  }

  get #filling(): string {
    return `${this.directory}/filling`;
  }
}

function mount(args: readonly string[]): boolean {
  return run("mount", args);
}

function run(command: string, args: readonly string[]): boolean {
  try {
    return new Deno.Command(command, { args: [...args], stdin: "null" }).outputSync().success;
  } catch (error) {
    // Not every system has these commands.
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}
