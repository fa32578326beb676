/** The chapter of the reference page for operators: what to do, call by call, when something is due. */
import { escapeHtml, exampleHtml, markedText } from "./docs_html.ts";
import { MONEY_BY_HAND, STUCK_PAYOUT } from "./docs_money_tasks.ts";
import type { Task, TaskStep } from "./operators_task.ts";

/** Where the chapter begins. */
export const TASKS_ANCHOR = "tasks";

const OPEN_A_MARKET: Task = {
  id: "open-a-market",
  title: "Open a market",
  lead: "A market needs both its currencies. Make it without orders first, and look at it.",
  steps: [
    {
      text:
        "Create the currencies that are missing. Their precision can't change once anybody has any.",
      call: {
        operation: "createCurrency",
        method: "POST",
        path: "/currencies",
        body: {
          id: "xau",
          name: "Gold",
          precision: 6,
          withdraw_fee: "0.001",
          min_withdraw_amount: "0.01",
        },
      },
    },
    {
      text:
        "Create the market, `halted`. Price and amount digits together bound how fine a trade is.",
      call: {
        operation: "createMarket",
        method: "POST",
        path: "/markets",
        body: {
          base_unit: "xau",
          quote_unit: "usdt",
          price_precision: 2,
          amount_precision: 4,
          min_amount: "0.01",
          min_price: "0.01",
          state: "halted",
        },
      },
    },
    {
      text: "Set its fees; without a row, trades are free.",
      call: {
        operation: "setTradingFee",
        method: "POST",
        path: "/trading_fees",
        body: { market_id: "xauusdt", maker: "0.001", taker: "0.002" },
      },
    },
    {
      text: "Open it.",
      call: {
        operation: "changeMarket",
        method: "PATCH",
        path: "/markets/xauusdt",
        body: { state: "enabled" },
      },
    },
  ],
};

const STOP_TRADING: Task = {
  id: "stop-a-market",
  title: "Stop a market, or all trading",
  lead: "Both act at once, on every process. Open orders stay until somebody cancels them.",
  steps: [
    {
      text:
        "`cancel_only` takes cancels but no orders; `halted` takes neither, except from operators.",
      call: {
        operation: "changeMarket",
        method: "PATCH",
        path: "/markets/{market}",
        body: { state: "cancel_only", reason: "the index is off" },
      },
    },
    {
      text: "Cancel what is open, if prices make no sense any more.",
      call: {
        operation: "cancelMarketOrders",
        method: "POST",
        path: "/markets/{market}/orders/cancel",
        body: { reason: "the index is off" },
      },
    },
    {
      text: "Or stop the whole venue: trading, withdrawals, or both.",
      call: {
        operation: "setSwitches",
        method: "PATCH",
        path: "/switches",
        body: { trading: false, withdrawals: false, reason: "looking into it" },
      },
    },
    {
      text:
        "`GET /api/v2/backend/public/status` says the same to everybody. Open again in the same way.",
      call: {
        operation: "setSwitches",
        method: "PATCH",
        path: "/switches",
        body: { trading: true, withdrawals: true, reason: "all is well" },
      },
    },
  ],
};

const LOST_FACTOR: Task = {
  id: "lost-second-factor",
  title: "A member has lost its second factor, or its mailbox",
  lead:
    "Recovery codes come first: one of them, in place of a code, signs in and turns the factor " +
    "off. Without any, make sure who asks, by papers and not by mail alone.",
  steps: [
    {
      text: "Find the member, and look for what somebody else would do before asking.",
      call: { operation: "listMembers", method: "GET", path: "/members?email={email}" },
    },
    {
      text: "Sign-ins from new places, changes, failures:",
      call: { operation: "listMemberActivity", method: "GET", path: "/members/{uid}/activity/all" },
    },
    {
      text: "Write down for the others what you have seen. The member does not read it.",
      call: {
        operation: "addMemberNote",
        method: "POST",
        path: "/members/{uid}/notes",
        body: { text: "passport seen in a call on 2 March" },
      },
    },
    {
      text:
        "Turn the factor off. Sessions end, keys that the member made are disabled for good, and " +
        "withdrawals are on hold for some time. It is told by mail.",
      call: {
        operation: "changeMember",
        method: "PATCH",
        path: "/members/{uid}",
        body: { otp: false, reason: "lost authenticator, passport seen" },
      },
    },
    {
      text:
        "If its mailbox is lost, with the factor or without, move it to another one. That ends its " +
        "password too: a code for a new one is sent there, and both mailboxes are told.",
      call: {
        operation: "changeMemberEmail",
        method: "PUT",
        path: "/members/{uid}/email",
        body: { email: "new@example.org", reason: "lost mailbox, passport seen" },
      },
    },
  ],
};

const STOLEN_KEY: Task = {
  id: "stolen-key",
  title: "A key or a session is stolen",
  lead:
    "Lock first: that stops sessions, keys, sockets and withdrawals at once, and takes back the " +
    "approval of what the rail has not begun to pay, and of all that is paid by hand. Then find out.",
  steps: [
    {
      text: "Lock the member. It is told by mail, with your reason.",
      call: {
        operation: "changeMember",
        method: "PATCH",
        path: "/members/{uid}",
        body: { state: "locked", reason: "a key may be stolen" },
      },
    },
    {
      text: "Cancel its orders: they would go on trading.",
      call: {
        operation: "cancelMemberOrders",
        method: "POST",
        path: "/members/{uid}/orders/cancel",
        body: { reason: "a key may be stolen" },
      },
    },
    {
      text: "Delete the key.",
      call: {
        operation: "deleteApiKey",
        method: "DELETE",
        path: "/members/{uid}/api_keys/{kid}",
        body: { reason: "stolen" },
      },
    },
    {
      text: "Look for beneficiaries that the member does not know, and delete them.",
      call: {
        operation: "listMemberBeneficiaries",
        method: "GET",
        path: "/members/{uid}/beneficiaries",
      },
    },
    {
      text:
        "Look at what waits, before you unlock: `reject` what the member did not ask for, or it is " +
        "paid later. What goes to a beneficiary that you have deleted (`beneficiary_state` is " +
        "`disabled`) can't be approved. What somebody has paid by hand just before succeeds.",
      call: {
        operation: "listAllWithdraws",
        method: "GET",
        path: "/withdraws?uid={uid}&waiting_for=approval,payment_by_hand,rail,decision,hold",
      },
    },
    {
      text: "Let it in again. It signs in anew, and should change its password.",
      call: {
        operation: "changeMember",
        method: "PATCH",
        path: "/members/{uid}",
        body: { state: "active", reason: "the key is gone" },
      },
    },
    {
      text:
        "If the key was an operator's: start a process with another one in `OPERATOR_KEY`, delete " +
        "the stolen one with it, and read what was done with it. Operators may share a uid.",
      call: { operation: "listActs", method: "GET", path: "/acts?kid={kid}&limit=100" },
    },
  ],
};

const RESTORE: Task = {
  id: "restore",
  title: "Go on from a backup",
  lead:
    "What was answered after the copy is lost, and what was paid after it would be paid again; " +
    "ids and uuids from after it are given again, to others. So a restore is a step of its own, " +
    'which the guide has in full: src/guides/operating.md, "Restoring a copy".',
  steps: [
    { text: "Stop every process. Keep the lost file, its `.head`, and the logs." },
    { text: "Put the copy in the place of the file, without its `-wal` and `-shm`." },
    {
      text:
        "Run `deno task restore --log=FILE`. It audits the copy, begins a new epoch with trading " +
        "and withdrawals stopped, ends all sessions, and lists what may have been paid since.",
    },
    {
      text:
        "Start the venue, and settle the list while withdrawals are stopped: each that was paid " +
        "succeeds with its transaction, approved or not, the rail's too, which does not pay it again.",
      call: {
        operation: "succeedWithdraw",
        method: "POST",
        path: "/withdraws/{id}/succeed",
        body: { txid: "5b1d6c8e", reason: "paid after the copy was made" },
      },
    },
    {
      text: "What was paid for a withdrawal that the copy does not know, take from its member.",
      call: {
        operation: "createAdjustment",
        method: "POST",
        path: "/adjustments",
        body: {
          uid: "{uid}",
          currency: "{currency}",
          amount: "-100",
          reason: "withdrawal 13, paid and lost by the restore",
        },
      },
    },
    {
      text: "Compare what you owe with what you have.",
      call: { operation: "listLiabilities", method: "GET", path: "/liabilities" },
    },
    {
      text: "For coins on networks, the chains tell what you have.",
      call: { operation: "listWallets", method: "GET", path: "/wallets" },
    },
    {
      text:
        "Do again what was done for safety since the copy: deleted and disabled keys are in force " +
        "as they were, locked members are let in, and passwords, second factors and mailboxes are " +
        "the former ones.",
    },
    {
      text:
        "Tell members from when on their orders are gone, and that they sign in again, and open.",
      call: {
        operation: "setSwitches",
        method: "PATCH",
        path: "/switches",
        body: { trading: true, withdrawals: true, reason: "restored" },
      },
    },
  ],
};

/** The tasks, in the order in which they are shown. */
export const TASKS: readonly Task[] = [
  OPEN_A_MARKET,
  STOP_TRADING,
  LOST_FACTOR,
  STOLEN_KEY,
  MONEY_BY_HAND,
  STUCK_PAYOUT,
  RESTORE,
];

/** Returns the chapter as HTML. */
export function tasksHtml(): string {
  const tasks = TASKS.map(({ id, title, lead, steps }) =>
    `<section class="operation" id="${taskAnchor(id)}">` +
    `<h3><a href="#${taskAnchor(id)}">${escapeHtml(title)}</a></h3>` +
    `<p class="note">${markedText(lead)}</p><ol>${steps.map(stepHtml).join("")}</ol></section>`
  );
  return `<h2 class="tag" id="${TASKS_ANCHOR}">For operators</h2>` +
    '<p class="note">What to do, call by call. All are signed by an operator\'s key, or made in the session ' +
    "of a member with a role that suffices, and each that changes something is an act in the audit trail, with its reason.</p>" +
    tasks.join("");
}

/** Returns the tasks for the page's contents. */
export function tasksMenu(): string {
  const items = TASKS.map(({ id, title }) =>
    `<li><a href="#${taskAnchor(id)}">${escapeHtml(title)}</a></li>`
  );
  return `<h2><a href="#${TASKS_ANCHOR}">For operators</a></h2><ul>${items.join("")}</ul>`;
}

function taskAnchor(id: string): string {
  return `task-${id}`;
}

function stepHtml({ text, call }: TaskStep): string {
  if (call === undefined) return `<li><p>${markedText(text)}</p></li>`;
  const { operation, method, path, body } = call;
  return `<li><p>${markedText(text)}</p><div class="route">` +
    `<span class="method ${method}">${method}</span>` +
    `<a href="#${operation.toLowerCase()}"><code>${escapeHtml(`/api/v2/admin${path}`)}</code></a>` +
    `</div>${body === undefined ? "" : exampleHtml(body)}</li>`;
}
