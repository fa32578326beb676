/** A venue that exports traces and metrics to a collector, as with `OTEL_DENO`. */
import { assert, assertEquals } from "@std/assert";
import { it } from "@std/testing/bdd";
import { describeUnless } from "../support/unless.ts";
import { SIGNATURE_HEADER } from "../../src/edge/callers/signature.ts";
import { EXPORTED_FIGURES } from "../../src/server/watching/exported_figures.ts";
import { NonceRanges } from "../bench/load/presigned.ts";
import {
  operatorSigner,
  randomCredential,
  randomMasterKey,
  ServerProcess,
  type ServerSettings,
} from "../bench/load/server_process.ts";
import { VenueOperator } from "../bench/load/venue_setup.ts";
import { SignedClient } from "../support/http_clients.ts";
import { OtlpReceiver, type ReceivedSpan } from "../support/otlp_receiver.ts";
import { RpcClient } from "../support/rpc_client.ts";
import { StreamClient } from "../support/stream_client.ts";
import { signedHeaders } from "../support/signed_headers.ts";

const isSkipped = (Deno as { telemetry?: object }).telemetry === undefined;
const WHY = isSkipped ? " (skipped: this Deno has no OpenTelemetry)" : "";
const ORDERS = "/api/v2/trading/market/orders";

/** An exporting venue and one of its members. */
interface Exporting {
  readonly receiver: OtlpReceiver;
  readonly settings: ServerSettings;
  readonly server: ServerProcess;
  readonly member: SignedClient;
}

/** How long a venue may take to stop, in ms. */
const STOP_MS_MAX = 15_000;

async function withExporting(
  environment: Record<string, string>,
  test: (exporting: Exporting) => Promise<void>,
  kvPath = ":memory:",
): Promise<void> {
  await using receiver = new OtlpReceiver();
  const settings: ServerSettings = {
    kvPath,
    operator: randomCredential(),
    masterKey: randomMasterKey(),
    environment: { ...receiver.environment, ...environment },
  };
  const server = await ServerProcess.start(settings);
  try {
    const operator = new VenueOperator(server, operatorSigner(settings), new NonceRanges());
    await operator.createMarkets("0");
    const [one] = await operator.createMembers(1);
    if (one === undefined) throw new Error("No member was made");
    const { kid, secret } = one.signer.credential;
    const member = new SignedClient(server.baseUrl, kid, secret);
    await test({ receiver, settings, server, member });
  } finally {
    // The platform may not end if it exits amid an export.
    const timer = setTimeout(() => server.signal("SIGKILL"), STOP_MS_MAX);
    await server.stop();
    clearTimeout(timer);
  }
}

function order(price: string): Record<string, unknown> {
  return { market: "btcusdt", side: "buy", type: "limit", amount: "1", price };
}

function childrenOf({ spans }: OtlpReceiver, parent: ReceivedSpan): ReceivedSpan[] {
  return spans.filter((span) =>
    span.parentSpanId === parent.spanId && span.traceId === parent.traceId
  );
}

/** Waits for a span and both of its children. */
function whole(receiver: OtlpReceiver, isMeant: (span: ReceivedSpan) => boolean) {
  return receiver.until(() => {
    const span = receiver.spans.find(isMeant);
    if (span === undefined) return undefined;
    const children = childrenOf(receiver, span);
    const [queue, commit] = ["queue", "commit"].map((name) =>
      children.find((child) => child.name === name)
    );
    return queue === undefined || commit === undefined ? undefined : { span, queue, commit };
  });
}

describeUnless(isSkipped)(`a venue that exports its telemetry${WHY}`, () => {
  it("shows an order's wait and commit, over HTTP and over a socket", () =>
    withExporting({ OTEL_DENO: "true" }, async ({ receiver, server, member }) => {
      await member.must(201, "POST", "/trading/market/orders", order("100"));
      const call = await whole(receiver, ({ attributes }) => attributes["http.route"] === ORDERS);
      assertEquals(call.span.attributes["http.request.method"], "POST");
      const { attributes } = call.commit;
      assertEquals(
        [attributes["kvenue.commit.outcome"], attributes["kvenue.commit.commands"]],
        ["committed", "1"],
      );
      assert(Number(attributes["kvenue.commit.events"]) >= 1);
      assert(Number(attributes["kvenue.commit.sequence"]) >= 1);

      const headers = { ...signedHeaders(member.kid, member.secret, Date.now() + 50) };
      const rpc = new RpcClient(
        await StreamClient.open(`${server.baseUrl}/api/v2/trading`, headers),
      );
      await rpc.call("create_order", ["btcusdt", "limit", "buy", "1", "90"]);
      const name = "command place_orders";
      const command = await whole(receiver, (span) => span.name === name);
      assertEquals(command.span.parentSpanId, "");
      assert(command.span.traceId !== call.span.traceId);
      assert(
        Number(command.commit.attributes["kvenue.commit.sequence"]) >
          Number(attributes["kvenue.commit.sequence"]),
      );
    }));

  it("shows every figure", async () => {
    // Those of the disk, the backups and closed sockets are left out as long as there are none.
    const directory = await Deno.makeTempDir({ prefix: "venue_figures_" });
    const backupMark = `${directory}/backup`;
    await Deno.writeTextFile(backupMark, "");
    const environment = {
      OTEL_DENO: "true",
      BACKUP_MARK: backupMark,
      WALLET_RAIL: "networks",
      WALLET_SEED: "07".repeat(32),
      // Nobody answers there, so that there is a fault and no height.
      WALLET_NODES: "anvil=http://127.0.0.1:1",
    };
    await withExporting(environment, async ({ receiver, server, member }) => {
      await member.must(201, "POST", "/trading/market/orders", order("100"));
      const stream = await StreamClient.open(`${server.baseUrl}/api/v2/ranger/public`);
      stream.sendBytes(new Uint8Array(8));
      await stream.closed;
      const names = EXPORTED_FIGURES.map((figure) => figure.name)
        .filter((name) => !name.endsWith("network.height"));
      await receiver.until(() =>
        names.every((name) => receiver.metrics.has(name)) ? true : undefined
      );
      const open = () => receiver.metrics.get("kvenue.orders.open").gauge.dataPoints[0];
      await receiver.until(() => Number(open().asInt ?? open().asDouble) === 1 ? true : undefined);
      const [point] = receiver.metrics.get("kvenue.commit.duration").histogram.dataPoints;
      assert(Number(point.count) > 1);
      assert(point.bucketCounts.length > 10);
      assert(receiver.metrics.has("kvenue.commit.batch"));
    }, `${directory}/venue.db`);
    await Deno.remove(directory, { recursive: true });
  });

  it("exports no secret and no signature", () =>
    withExporting({ OTEL_DENO: "true" }, async ({ receiver, settings, member }) => {
      await member.must(201, "POST", "/trading/market/orders", order("100"));
      await whole(receiver, ({ attributes }) => attributes["http.route"] === ORDERS);
      const { secret } = settings.operator;
      assert(receiver.text.includes(ORDERS));
      for (const hidden of [secret, member.secret, settings.masterKey, SIGNATURE_HEADER]) {
        assert(!receiver.text.toLowerCase().includes(hidden.toLowerCase()), hidden);
      }
    }));

  it("exports nothing by default", async () => {
    await withExporting({}, async ({ receiver, server, member }) => {
      await member.must(201, "POST", "/trading/market/orders", order("100"));
      await server.stop();
      assertEquals(receiver.requests, 0);
    });
  });
});
