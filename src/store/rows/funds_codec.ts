/** Records of members' funds as bytes in rows. */
import { type FundsRecord, type Movement, MOVEMENT_KINDS } from "../../domain/money/funds.ts";
import type { RecordCodec } from "./block_codec.ts";
import type { ByteReader } from "../byte_reader.ts";
import type { ByteWriter } from "../byte_writer.ts";
import { codeOf, wordOf } from "../log/event_codec.ts";

/** The kind of a record without a movement; those of the others follow. */
const UNMOVED = 0;

/** Complete records. */
export const FUNDS_CODEC: RecordCodec<FundsRecord> = {
  write(writer, record) {
    writer.uint(record.id);
    writer.uint(record.at);
    writer.uint(record.trades);
    writer.uint(record.acts);
    writeMoved(writer, record);
    writer.uint(record.totals.size);
    for (const [currency, total] of record.totals) {
      writer.uint(currency);
      writer.bigint(total);
    }
  },
  read(reader) {
    const about = {
      id: reader.uint(),
      at: reader.uint(),
      trades: reader.uint(),
      acts: reader.uint(),
    };
    const moved = readMoved(reader);
    const totals = new Map<number, bigint>();
    for (let left = reader.uint(); left > 0; left--) totals.set(reader.uint(), reader.bigint());
    return { ...about, ...moved, totals };
  },
  id: ({ id }) => id,
};

function writeMoved(writer: ByteWriter, { moved }: FundsRecord): void {
  if (moved === undefined) return writer.byte(UNMOVED);
  writer.byte(1 + codeOf(MOVEMENT_KINDS, moved.kind));
  writer.uint(moved.of);
  writer.uint(moved.movements.length);
  for (const { currency, gross, fee } of moved.movements) {
    writer.uint(currency);
    writer.bigint(gross);
    writer.bigint(fee);
  }
}

function readMoved(reader: ByteReader): Pick<FundsRecord, "moved"> {
  const code = reader.byte();
  if (code === UNMOVED) return {};
  const kind = wordOf(MOVEMENT_KINDS, code - 1);
  const of = reader.uint();
  const movements: Movement[] = [];
  for (let left = reader.uint(); left > 0; left--) {
    movements.push({ currency: reader.uint(), gross: reader.bigint(), fee: reader.bigint() });
  }
  return { moved: { kind, of, movements } };
}
