/** A chain on which the rails are measured. */

/** A node with coins, and who is paid. */
export interface CoinsGround extends AsyncDisposable {
  /** The network's name. */
  readonly network: string;
  /** Of its node. */
  readonly url: string;
  /** Contract of a token, if the network has any. */
  readonly contract: string | null;
  /** Members' addresses, by their index. */
  readonly members: readonly string[];
  /** Makes a block in which so many transactions pay to members. */
  mineTransfers(transfers: number): Promise<void>;
  /** Makes so many blocks, with a payment to a member in some. */
  mine(blocks: number): Promise<void>;
  /** Returns an address that looks like a member's. */
  randomAddress(): string;
}

/** Members who are paid. */
export const MEMBERS = 300;
/** A payment to a member comes in every so many blocks. */
export const PAID_BLOCKS = 100;
/** What the wallet's keys are of. */
export const SEED: Uint8Array = new Uint8Array(32).fill(9);
