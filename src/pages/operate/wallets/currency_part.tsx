/** @jsxImportSource hono/jsx/dom */
/** A currency: what the chains hold of it beside what members have, and the difference. */
import type { Records } from "../../../client/client.ts";
import { plain } from "../../shared/amounts.ts";
import { type Column, Table } from "../../shared/table.tsx";
import type { View } from "../../shared/view.ts";
import { o } from "../acting/operate_texts.ts";
import { Fact, Facts, Part, State } from "../acting/record_views.tsx";
import { amountParts, digitsOf, isShort, type Line, statementOf } from "./statement.ts";

type Wallet = Records["Wallet"];

/** The statement, and what else is told of the currency. */
export function CurrencyPart({ wallet }: { readonly wallet: Wallet }): View {
  const { currency, networks, in_flight: flight, fees } = wallet;
  const { wallets: words } = o;
  const lines = statementOf(wallet);
  return (
    <Part title={currency.toUpperCase()} tools={<Cover wallet={wallet} />}>
      {networks.map(({ network, fault }) =>
        fault === null ? null : (
          <p key={network} class="part-note">
            ▲ {words.untold(network, words.faults[fault])}
            {fault === "other_coin" ? `. ${words.tasks.other_coin}` : ""}
          </p>
        )
      )}
      <div class="statement">
        <Table
          caption={currency.toUpperCase()}
          columns={columnsOf(wallet, lines)}
          rows={lines}
          keyOf={({ name, network }) => `${name} ${network}`}
          empty=""
        />
      </div>
      <Facts>
        <Fact name={words.earned}>
          <span class="figures">{plain(fees)}</span>
        </Fact>
        <Fact name={words.sent}>
          <span class="figures">{flight === null ? "–" : plain(flight.sent)}</span>
        </Fact>
        {networks.map(({ network, fee }) => (
          <Fact key={network} name={words.payoutFee(network)}>
            <span class="figures">{fee === null ? "–" : plain(fee)}</span>
          </Fact>
        ))}
        {networks.map(({ network, rests }) =>
          rests === null || !/[1-9]/.test(rests)
            ? null
            : (
              <Fact key={network} name={words.rests(network)}>
                <span class="figures">{plain(rests)}</span>
              </Fact>
            )
        )}
      </Facts>
    </Part>
  );
}

/** Whether the chains hold what members have. */
function Cover({ wallet: { difference } }: { readonly wallet: Wallet }): View {
  const { wallets: words } = o;
  if (difference === null) return <State tone="warn" words={words.unknown} />;
  return isShort(difference)
    ? <State tone="bad" words={words.short} />
    : <State tone="good" words={words.covered} />;
}

/** The lines' names, and their amounts, whose points stand below each other. */
function columnsOf(
  { currency, networks }: Wallet,
  lines: readonly Line[],
): readonly Column<Line>[] {
  const { wallets: words } = o;
  const digits = digitsOf(lines);
  return [
    {
      title: o.audit.what,
      show: ({ name, network, isSum }) => (
        <span>
          {isSum ? <b>{words.lines[name]}</b> : words.lines[name]}
          {network === null || networks.length === 1
            ? null
            : <span class="line soft">{network}</span>}
        </span>
      ),
    },
    {
      title: currency.toUpperCase(),
      isFigure: true,
      show: ({ amount, isSum }) => {
        if (amount === null) return "–";
        const [main, rest] = amountParts(amount, digits);
        const shown = rest === "" ? main : (
          <span>
            {main}
            <span class="soft">{rest}</span>
          </span>
        );
        return isSum ? <b>{shown}</b> : shown;
      },
    },
  ];
}
