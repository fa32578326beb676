/** @jsxImportSource hono/jsx/dom */
/** The venue at a glance: what is stopped, what waits for somebody, and its figures. */
import { t } from "../../shared/language.ts";
import { o } from "../acting/operate_texts.ts";
import { venue } from "../../shared/session.ts";
import { useShown } from "../../shared/shown.ts";
import { type Column, Table } from "../../shared/table.tsx";
import { Group, type View } from "../../shared/view.ts";
import { useReading } from "../acting/reading.ts";
import { Fact, Facts, Part, Read, State, wordOf } from "../acting/record_views.tsx";
import { linkTo } from "../acting/view_route.ts";
import { SwitchButtons } from "../acting/switch_acts.tsx";
import { durationText } from "./duration_text.ts";
import { FigurePanel } from "./figure_panel.tsx";
import { isPaused, type Metrics, metrics, metricsFault } from "./metrics.ts";
import { networkTone } from "./network_faults.ts";
import { waitingPayouts } from "./waiting_payouts.ts";
import { toneOf } from "./venue_state.ts";

const STATUS_MS = 5_000;

/** The view. */
export function OverviewView(): View {
  const now = useShown(metrics);
  const fault = useShown(metricsFault);
  const paused = useShown(isPaused);
  return (
    <Group>
      {fault === null ? null : <p class="note bad" role="alert">{fault}</p>}
      {paused ? <p class="note warn">{o.overview.paused}</p> : null}
      {now === null ? null : <Warnings now={now} />}
      <div class="columns">
        <StatePart networks={now?.networks ?? []} />
        {now === null ? null : <WaitingPart now={now} />}
      </div>
      <Charts />
      {now === null ? null : <ProcessPart now={now} />}
    </Group>
  );
}

/** Where something can be done about what an operator has to look at. */
const PLACES: Partial<Readonly<Record<Metrics["degraded"][number], string>>> = {
  payouts_parked: linkTo(["withdrawals"], { waits: "decision" }),
  settings_differ: linkTo(["settings"]),
  price_far: linkTo(["currencies"]),
  network_fault: linkTo(["wallets"]),
};

/** What an operator has to look at. */
function Warnings({ now }: { readonly now: Metrics }): View | null {
  const { overview, money } = o;
  const payouts = useShown(waitingPayouts);
  if (now.ready && now.degraded.length === 0 && payouts === 0) return null;
  return (
    <div class={now.ready ? "note warn" : "note bad"} role="status">
      {now.ready
        ? null
        : <p>{overview.notReady(wordOf(overview.reasons, now.not_ready_reason))}</p>}
      {now.degraded.map((reason) => {
        const text = wordOf(overview.reasons, reason);
        const place = PLACES[reason];
        return <p key={reason}>{place === undefined ? text : <a href={place}>{text}</a>}</p>;
      })}
      {payouts === 0 ? null : (
        <p>
          <a href={linkTo(["wallets"])}>{money.payoutsWait(String(payouts))}</a>
        </p>
      )}
    </div>
  );
}

/** What is open and what is stopped. */
function StatePart({ networks }: Pick<Metrics, "networks">): View {
  const { overview } = o;
  const reading = useReading(
    "status",
    () => venue.get("/api/v2/backend/public/status"),
    STATUS_MS,
  );
  return (
    <Part title={overview.state}>
      <Read reading={reading}>
        {({ state, trading, withdrawals, markets, currencies }) => {
          const stopped = Object.entries(markets).filter(([, one]) => one !== "enabled");
          const closed = Object.entries(currencies).flatMap(closedIn);
          return (
            <Group>
              <Facts>
                <Fact name={overview.venue}>
                  <State tone={toneOf(state)} words={overview.states[state]} />
                </Fact>
                <Fact name={overview.trading}>
                  <OnOff isOn={trading} />
                </Fact>
                <Fact name={overview.withdrawals}>
                  <OnOff isOn={withdrawals} />
                </Fact>
                <Fact name={overview.stoppedMarkets}>
                  {stopped.length === 0
                    ? overview.none
                    : stopped.map(([id, one]) => (
                      <span key={id} class="stopped">
                        <a href={linkTo(["markets"])}>{id}</a>{" "}
                        <State tone={toneOf(one)} words={t.trade.states[one]} />
                      </span>
                    ))}
                </Fact>
                <Fact name={overview.closedCurrencies}>
                  {closed.length === 0 ? overview.none : (
                    <a href={linkTo(["currencies"])}>
                      {closed.join(", ")}
                    </a>
                  )}
                </Fact>
                {networks.length === 0 ? null : (
                  <Fact name={o.wallets.networks}>
                    <Networks networks={networks} />
                  </Fact>
                )}
              </Facts>
              <SwitchButtons now={{ trading, withdrawals }} />
            </Group>
          );
        }}
      </Read>
    </Part>
  );
}

/** The networks that can't be relied on, and why. */
function Networks({ networks }: Pick<Metrics, "networks">): View {
  const { wallets } = o;
  const unwell = networks.filter(({ fault }) => fault !== null);
  if (unwell.length === 0) return <State tone="good" words={wallets.allRun} />;
  return (
    <Group>
      {unwell.map(({ network, fault }) => (
        <span key={network} class="stopped">
          <a href={linkTo(["wallets"])}>{network}</a>{" "}
          <State tone={networkTone(fault)} words={fault === null ? "" : wallets.faults[fault]} />
        </span>
      ))}
    </Group>
  );
}

/** What a currency, or one of its networks, takes and pays. */
interface Openings {
  readonly deposit_enabled: boolean;
  readonly withdrawal_enabled: boolean;
}

/** Names a currency if it is not fully open; else those of its networks that are not. */
function closedIn(
  [id, currency]: [string, Openings & { readonly networks?: Readonly<Record<string, Openings>> }],
): readonly string[] {
  const isClosed = (one: Openings) => !one.deposit_enabled || !one.withdrawal_enabled;
  const name = id.toUpperCase();
  if (isClosed(currency)) return [name];
  const networks = Object.entries(currency.networks ?? {}).filter(([, one]) => isClosed(one));
  return networks.map(([network]) => `${name} (${network})`);
}

function OnOff({ isOn }: { readonly isOn: boolean }): View {
  const { on, off } = o.overview;
  return <State tone={toneOf(isOn)} words={isOn ? on : off} />;
}

type Waiting = Metrics["waiting"];

interface WaitingRow {
  readonly what: keyof Waiting;
  readonly count: number;
  readonly oldest: number;
}

const WAITING_COLUMNS: readonly Column<WaitingRow>[] = [
  {
    title: o.overview.what,
    show: ({ what }) => (
      <a
        href={what === "deposits"
          ? linkTo(["deposits"], { state: "submitted" })
          : linkTo(["withdrawals"], { waits: what })}
      >
        {o.overview.waits[what]}
      </a>
    ),
  },
  { title: o.overview.count, isFigure: true, show: ({ count }) => count },
  {
    title: o.overview.oldest,
    isFigure: true,
    show: ({ count, oldest }) => count === 0 ? "–" : durationText(oldest),
  },
];

/** What waits for an operator, or for something else. */
function WaitingPart({ now }: { readonly now: Metrics }): View {
  const rows = Object.entries(now.waiting).map(([what, { count, oldest_ms }]) => ({
    what: what as keyof Waiting,
    count,
    oldest: oldest_ms,
  }));
  return (
    <Part title={o.overview.waiting}>
      <Table
        caption={o.overview.waiting}
        columns={WAITING_COLUMNS}
        rows={rows}
        keyOf={({ what }) => what}
        empty=""
      />
    </Part>
  );
}

function Charts(): View {
  const { charts } = o.overview;
  return (
    <div class="figure-panels">
      <FigurePanel title={charts.orders} figures={["orders", "trades"]} digits={1} unit="/s" />
      <FigurePanel title={charts.commit} figures={["commit", "slowest"]} digits={1} unit="ms" />
      <FigurePanel title={charts.queue} figures={["queue"]} digits={0} />
      <FigurePanel title={charts.lag} figures={["lag"]} digits={0} unit="ms" />
      <FigurePanel title={charts.fold} figures={["unfolded"]} digits={0} />
      <FigurePanel title={charts.sockets} figures={["sockets"]} digits={0} />
      <FigurePanel title={charts.open} figures={["open"]} digits={0} />
      <FigurePanel title={charts.memory} figures={["memory"]} digits={0} unit="MB" />
    </div>
  );
}

/** Figures of the process that are no charts. */
function ProcessPart({ now }: { readonly now: Metrics }): View {
  const { overview } = o;
  const { mail, storage } = now;
  const gigabytes = (bytes: number | null) =>
    bytes === null ? "–" : `${(bytes / 1e9).toFixed(1)}\u202fGB`;
  return (
    <Part title={overview.process} note={overview.processNote}>
      <Facts>
        <Fact name={overview.events}>{now.events}</Fact>
        <Fact name={overview.ordersSoFar}>{now.orders}</Fact>
        <Fact name={overview.tradesSoFar}>{now.trades}</Fact>
        <Fact name={overview.commits}>{now.commits}</Fact>
        <Fact name={overview.conflicts}>{now.conflicts}</Fact>
        <Fact name={overview.failedCommits}>{now.failed_commits}</Fact>
        <Fact name={overview.unknownCommits}>{now.unknown_commits}</Fact>
        <Fact name={overview.authFailures}>{now.auth_failures}</Fact>
        <Fact name={overview.dropped}>{now.dropped_readers}</Fact>
        <Fact name={overview.mail}>
          {overview.mailState(String(mail.count), String(mail.given_up))}
        </Fact>
        <Fact name={overview.disk}>
          {overview.diskFree(gigabytes(storage.disk_free), gigabytes(storage.disk_size))}
        </Fact>
        <Fact name={overview.backup}>
          {storage.backup_age_ms === null
            ? overview.unknown
            : overview.ago(durationText(storage.backup_age_ms))}
        </Fact>
      </Facts>
    </Part>
  );
}
