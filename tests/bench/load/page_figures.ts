/** What a page costs those who open it, as Chromium measures it. */
import type { CDPSession, Page } from "playwright-core";

/** How a page opens in a browser that has nothing of it. */
export interface OpeningFigures {
  /** All that came over HTTP, packed, with its headers. */
  readonly bytes: number;
  /** From the beginning until the first level of the book is there. */
  readonly bookMs: number;
}

/** What a page did for a while. */
export interface RunFigures {
  readonly framesPerSecond: number;
  /** Share of the time in which the page's thread did something. */
  readonly busyShare: number;
  readonly layoutShare: number;
  readonly scriptShare: number;
}

/** What a page holds, after all garbage is gone. */
export interface HeldFigures {
  readonly heapBytes: number;
  readonly nodes: number;
  readonly listeners: number;
}

/** Resolves once there is a bid; in ms since the page's beginning. */
const FIRST_BID = `new Promise((resolve) => {
  const look = () => {
    const captions = [...document.querySelectorAll("caption")];
    const bids = captions.find((caption) => caption.textContent === "Bids");
    if (bids?.parentElement.querySelector("tbody button") != null) resolve(performance.now());
    else requestAnimationFrame(look);
  };
  look();
})`;

/** Counts frames from the first time on. */
const COUNT_FRAMES = `if (globalThis.framesShown === undefined) {
  globalThis.framesShown = 0;
  const count = () => {
    globalThis.framesShown += 1;
    requestAnimationFrame(count);
  };
  requestAnimationFrame(count);
}`;

/** A page that is measured. */
export class MeasuredPage {
  readonly #page: Page;
  readonly #session: CDPSession;

  private constructor(page: Page, session: CDPSession) {
    this.#page = page;
    this.#session = session;
  }

  /** Measures a page that is about to open something. */
  static async of(page: Page): Promise<MeasuredPage> {
    const session = await page.context().newCDPSession(page);
    // What the thread waits for a processor is the machine's time, not the page's.
    await session.send("Performance.enable", { timeDomain: "threadTicks" });
    await session.send("Network.enable");
    return new MeasuredPage(page, session);
  }

  /** Opens a page whose book is not empty. */
  async open(url: string): Promise<OpeningFigures> {
    let bytes = 0;
    this.#session.on("Network.loadingFinished", ({ encodedDataLength }) => {
      bytes += encodedDataLength;
    });
    await this.#page.goto(url, { waitUntil: "commit" });
    const bookMs = await this.#page.evaluate<number>(FIRST_BID);
    await this.#page.waitForLoadState("networkidle");
    return { bytes, bookMs };
  }

  /** Measures what the page does while something goes on. */
  async during<T>(work: () => Promise<T>): Promise<RunFigures & { readonly result: T }> {
    await this.#page.evaluate(COUNT_FRAMES);
    const before = await this.#metrics();
    const result = await work();
    const after = await this.#metrics();
    const seconds = (after.at - before.at) / 1000;
    const share = (name: string) => (after.of(name) - before.of(name)) / seconds;
    return {
      framesPerSecond: (after.frames - before.frames) / seconds,
      busyShare: share("TaskDuration"),
      layoutShare: share("LayoutDuration") + share("RecalcStyleDuration"),
      scriptShare: share("ScriptDuration"),
      result,
    };
  }

  /** Measures what the page holds. */
  async held(): Promise<HeldFigures> {
    await this.#session.send("HeapProfiler.collectGarbage");
    const { of } = await this.#metrics();
    return {
      heapBytes: of("JSHeapUsedSize"),
      nodes: of("Nodes"),
      listeners: of("JSEventListeners"),
    };
  }

  async #metrics(): Promise<{
    readonly at: number;
    readonly frames: number;
    of(name: string): number;
  }> {
    const { metrics } = await this.#session.send("Performance.getMetrics");
    const at = performance.now();
    const frames = await this.#page.evaluate<number>("globalThis.framesShown ?? 0");
    const values = new Map(metrics.map(({ name, value }) => [name, value]));
    return { at, frames, of: (name) => values.get(name) ?? 0 };
  }
}
