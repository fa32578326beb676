import { VenueFile } from "./engine_venue.ts";
import { IdentityVenue, type IdentityVenueOptions, START } from "./identity_venue.ts";

/** Two processes on one file, with one clock. */
export class IdentityProcesses {
  #isEnded = false;

  private constructor(
    readonly file: VenueFile,
    readonly options: IdentityVenueOptions,
    readonly one: IdentityVenue,
    readonly two: IdentityVenue,
  ) {}

  /** @param prepare called before each process reads anything */
  static async open(
    prepare: NonNullable<IdentityVenueOptions["prepare"]> = () => {},
  ): Promise<IdentityProcesses> {
    const file = await VenueFile.create();
    const options = { path: file.path, isShared: true, clock: { now: START }, prepare };
    const one = await IdentityVenue.open(options);
    return new IdentityProcesses(file, options, one, await IdentityVenue.open(options));
  }

  /** Ends both processes; returns a new one on the same file. */
  async restart(): Promise<IdentityVenue> {
    await this.#end();
    return await IdentityVenue.open(this.options);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#end();
    await this.file[Symbol.asyncDispose]();
  }

  async #end(): Promise<void> {
    if (this.#isEnded) return;
    this.#isEnded = true;
    await this.one.close();
    await this.two.close();
  }
}
