import { WAIT_MS_MAX } from "./eventually.ts";

/** An exported span. */
export interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  /** Empty for a root span. */
  readonly parentSpanId: string;
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
}

// deno-lint-ignore no-explicit-any
type Json = any;

/** An OTLP collector on this machine that records what it receives as JSON over HTTP. */
export class OtlpReceiver {
  readonly spans: ReceivedSpan[] = [];
  /** The last value of each metric, by name. */
  readonly metrics = new Map<string, Json>();
  /** All request bodies, concatenated. */
  text = "";
  requests = 0;
  readonly #server: Deno.HttpServer<Deno.NetAddr>;
  #onReceived: () => void = () => {};

  constructor() {
    const options = { hostname: "127.0.0.1", port: 0, onListen: () => {} };
    this.#server = Deno.serve(options, (request) => this.#receive(request));
  }

  /** Settings of a process that exports to this collector at short intervals. */
  get environment(): Record<string, string> {
    return {
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${this.#server.addr.port}`,
      OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
      OTEL_METRIC_EXPORT_INTERVAL: "200",
      OTEL_BSP_SCHEDULE_DELAY: "100",
      OTEL_BLRP_SCHEDULE_DELAY: "100",
    };
  }

  /**
   * Waits until `find` finds something in what was received.
   *
   * @throws {Error} if it is not exported in time
   */
  async until<T>(find: () => T | undefined): Promise<T> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        const names = [...this.spans.map(({ name }) => name), ...this.metrics.keys()];
        reject(new Error(`Not exported; there are only ${names.join(", ")}`));
      }, WAIT_MS_MAX);
    });
    try {
      for (let found = find();; found = find()) {
        if (found !== undefined) return found;
        const received = new Promise<void>((resolve) => this.#onReceived = resolve);
        await Promise.race([received, late]);
      }
    } finally {
      clearTimeout(timer);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.shutdown();
  }

  async #receive(request: Request): Promise<Response> {
    const text = await request.text();
    this.requests += 1;
    this.text += text;
    const body = JSON.parse(text);
    for (const { scopeSpans } of body.resourceSpans ?? []) {
      for (const { spans } of scopeSpans) this.spans.push(...spans.map(spanOf));
    }
    for (const { scopeMetrics } of body.resourceMetrics ?? []) {
      for (const { metrics } of scopeMetrics) {
        for (const metric of metrics) this.metrics.set(metric.name, metric);
      }
    }
    this.#onReceived();
    return Response.json({});
  }
}

function spanOf({ traceId, spanId, parentSpanId, name, attributes }: Json): ReceivedSpan {
  return {
    traceId,
    spanId,
    parentSpanId,
    name,
    attributes: Object.fromEntries(
      attributes.map(({ key, value }: Json) => [key, String(Object.values(value)[0])]),
    ),
  };
}
