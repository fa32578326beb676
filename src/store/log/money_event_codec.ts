/** Events about money as bytes, behind the codes of their kinds. */
import { unreachable } from "../../domain/assert.ts";
import type { MoneyBalances, MoneyEvent, PnlCurrenciesSet } from "../../domain/money_event.ts";
import type { ByteReader } from "../byte_reader.ts";
import type { ByteWriter } from "../byte_writer.ts";
import { renewedFrom, renewedLimit } from "../older_records.ts";

/** Appends an event without its code. */
export function writeMoneyEvent(writer: ByteWriter, event: MoneyEvent): void {
  switch (event.kind) {
    case "deposit_set":
      writer.record(event.deposit);
      writeBalances(writer, event);
      if (event.transaction !== undefined) writer.text(event.transaction);
      if (event.payment !== undefined) writer.text(event.payment);
      return;
    case "withdraw_set":
      writer.record(event.withdraw);
      return writeBalances(writer, event);
    case "beneficiary_set":
      return writer.record(event.beneficiary);
    case "withdraw_limit_set":
    case "withdraw_limit_deleted":
      return writer.record(event.row);
    case "switches_set":
      return writer.record(event.switches);
    case "pnl_currencies_set":
      writer.record(event.currencies);
      if (event.kept.length !== event.currencies.length) writer.record(event.kept);
      return;
    case "settings_set":
      return writer.record(event.settings);
    case "act_noted":
      writer.uint(event.id);
      writer.uint(event.key);
      if (event.once === undefined) return;
      writer.text(event.once.name);
      return writer.text(event.once.request);
    case "deposit_address_made":
      writer.uint(event.member);
      return writer.uint(event.currency);
    default:
      unreachable(event);
  }
}

/** Reads the rest of an event with this code, of an entry of this format. */
export function readMoneyEvent(
  kind:
    | MoneyEvent["kind"]
    | "deposit_set_named"
    | "deposit_set_paid_back"
    | "act_noted_once"
    | "pnl_currencies_kept",
  reader: ByteReader,
  format: number,
): MoneyEvent {
  switch (kind) {
    case "deposit_set":
      return { kind, deposit: reader.record(), ...readBalances(reader) };
    case "deposit_set_named":
      return {
        kind: "deposit_set",
        deposit: reader.record(),
        ...readBalances(reader),
        transaction: reader.text(),
      };
    case "deposit_set_paid_back":
      return {
        kind: "deposit_set",
        deposit: reader.record(),
        ...readBalances(reader),
        transaction: reader.text(),
        payment: reader.text(),
      };
    case "withdraw_set":
      return { kind, withdraw: reader.record(), ...readBalances(reader) };
    case "beneficiary_set":
      return { kind, beneficiary: reader.record() };
    case "withdraw_limit_set":
      return { kind, row: renewedFrom(format, reader.record(), renewedLimit) };
    case "withdraw_limit_deleted":
      return { kind, row: reader.record() };
    case "switches_set":
      return { kind, switches: reader.record() };
    case "pnl_currencies_set":
      return readPnlCurrencies(reader.record());
    case "pnl_currencies_kept":
      return readPnlCurrencies(reader.record(), reader.record());
    case "settings_set":
      return { kind, settings: reader.record() };
    case "act_noted":
      return { kind, id: reader.uint(), key: reader.uint() };
    case "act_noted_once":
      return {
        kind: "act_noted",
        id: reader.uint(),
        key: reader.uint(),
        once: { name: reader.text(), request: reader.text() },
      };
    case "deposit_address_made":
      return { kind, member: reader.uint(), currency: reader.uint() };
    default:
      return unreachable(kind);
  }
}

function readPnlCurrencies(
  currencies: readonly string[],
  kept: readonly string[] = currencies,
): PnlCurrenciesSet {
  return { kind: "pnl_currencies_set", currencies, kept };
}

function writeBalances(writer: ByteWriter, balances: MoneyBalances): void {
  writer.bigint(balances.available);
  writer.bigint(balances.locked);
  writer.bigint(balances.feesAvailable);
  writer.bigint(balances.outsideAvailable);
}

function readBalances(reader: ByteReader): MoneyBalances {
  return {
    available: reader.bigint(),
    locked: reader.bigint(),
    feesAvailable: reader.bigint(),
    outsideAvailable: reader.bigint(),
  };
}
