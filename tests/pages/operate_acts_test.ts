/** What is sent of what an operator fills in, and how it is said beforehand. */
import { assert, assertEquals, assertNotEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import {
  type ActField,
  beginOf,
  changedBody,
  changesText,
  filledFields,
  wordsIn,
} from "../../src/pages/operate/acting/act.ts";
import { CallNames } from "../../src/pages/operate/acting/call_names.ts";
import { OutcomeUnknownError, VenueError } from "../../src/client/client.ts";
import {
  changesText as trailText,
  detailsText,
} from "../../src/pages/operate/trail/act_details.ts";
import { linkTo, routeOf } from "../../src/pages/operate/acting/view_route.ts";

const FIELDS: readonly ActField[] = [
  { name: "level", label: "Level", kind: "whole" },
  { name: "min_price", label: "Minimum price", kind: "decimal" },
  { name: "limit", label: "Limit", kind: "nullable" },
  { name: "visible", label: "Listed", kind: "box" },
  {
    name: "state",
    label: "State",
    kind: "choice",
    choices: [["enabled", "Open"], ["halted", "Halted"]],
  },
  { name: "groups", label: "Groups", kind: "list" },
];
const BEGIN = {
  level: "1",
  min_price: "0.1",
  limit: "5",
  visible: "true",
  state: "enabled",
  groups: "vip",
};
const WORDS = { yes: "yes", no: "no", none: "none" };

describe("an act", () => {
  it("sends what has changed, each as the call has it; money as it was typed", () => {
    assertEquals(changedBody(FIELDS, BEGIN, BEGIN), {});
    const values = {
      level: "3",
      min_price: " 0.10000000000000001 ",
      limit: "",
      visible: "false",
      state: "halted",
      groups: "vip, pro",
    };
    assertEquals(changedBody(FIELDS, BEGIN, values), {
      level: 3,
      min_price: "0.10000000000000001",
      limit: null,
      visible: false,
      state: "halted",
      groups: ["vip", "pro"],
    });
  });

  it("leaves to the venue what is no number", () => {
    assertEquals(changedBody(FIELDS, BEGIN, { ...BEGIN, level: "-1" }), { level: "-1" });
  });

  it("leaves out what is not filled in", () => {
    assertEquals(filledFields(FIELDS, { level: "2", min_price: "" }), { level: 2, visible: false });
  });

  it("says what changes, from what to what, in words", () => {
    assertEquals(changesText(FIELDS, BEGIN, BEGIN, WORDS), "");
    assertEquals(
      changesText(FIELDS, BEGIN, { ...BEGIN, limit: "", visible: "false", state: "halted" }, WORDS),
      "Limit: 5 → none; Listed: yes → no; State: Open → Halted",
    );
  });

  it("has one name as long as nothing of it changes", () => {
    const names = new CallNames();
    const first = names.nameOf([{ amount: "1" }, "why"]);
    assertEquals(names.nameOf([{ amount: "1" }, "why"]), first);
    assertNotEquals(names.nameOf([{ amount: "2" }, "why"]), first);
    assert(/^[0-9a-f]{32}$/.test(first));
  });

  it("is unknown as long as an earlier try of the same one may yet happen", () => {
    const names = new CallNames();
    const [one, other] = [names.nameOf(["one"]), names.nameOf(["other"])];
    const refused = new VenueError(422, { errors: ["admin.adjustment.invalid_amount"] });
    const lost = new OutcomeUnknownError([]);
    assertEquals(names.faultOf(one, refused), refused);
    assertEquals(names.faultOf(one, lost), lost);
    const told = names.faultOf(one, refused);
    assert(told instanceof OutcomeUnknownError && told.cause === refused);
    assertEquals(names.faultOf(other, refused), refused);
  });

  it("begins with what a record has, decimals without zeros at their end", () => {
    const record = { level: 2, min_price: "0.10", limit: null, visible: false, state: "halted" };
    assertEquals(beginOf(FIELDS, record), {
      level: "2",
      min_price: "0.1",
      limit: "",
      visible: "false",
      state: "halted",
      groups: "",
    });
    assertEquals(beginOf(FIELDS, { min_price: "100.0", limit: "0.0" })["min_price"], "100");
  });

  it("takes lists with commas, spaces and lines between", () => {
    assertEquals(wordsIn(" a, b;c\n d "), ["a", "b", "c", "d"]);
  });
});

describe("the audit trail", () => {
  const anvil = { network: "anvil", contract: null, deposit_enabled: true, hot_limit: null };
  const sepolia = { ...anvil, network: "sepolia" };

  it("tells what differs of a network, by its name", () => {
    const after = { networks: [anvil, { ...sepolia, hot_limit: "5.0" }], precision: 8 };
    assertEquals(trailText({ networks: [anvil, sepolia], precision: 6 }, after), [
      "sepolia hot_limit: – → 5.0",
      "precision: 6 → 8",
    ]);
    assertEquals(trailText({ networks: [anvil] }, { networks: [anvil, sepolia] }), [
      "sepolia: – → contract –, deposit_enabled true, hot_limit –",
    ]);
    assertEquals(trailText({}, { networks: [anvil] }).length, 1);
  });

  it("tells lists and records in words", () => {
    assertEquals(
      trailText({ scopes: [], levels: { deposit: 1, trading: 2 } }, {
        scopes: ["read", "trade"],
        levels: { deposit: 1, trading: 3 },
      }),
      ["scopes: – → read, trade", "levels trading: 2 → 3"],
    );
    assertEquals(trailText({ maker: "0.1" }, {}), ["maker: 0.1 → –"]);
    assertEquals(detailsText({ reason: "why", networks: [{ network: "anvil", digits: 18 }] }), [
      "networks: network anvil, digits 18",
    ]);
  });
});

describe("an address of the operators' page", () => {
  it("names a view, what it is of, and what narrows its list", () => {
    const route = { parts: ["members", "ID 1/2"], query: { state: "locked", search: "a&b" } };
    assertEquals(routeOf(linkTo(route.parts, route.query)), route);
    assertEquals(linkTo(["members"], { state: "" }), "#members");
    assertEquals(routeOf(""), { parts: [], query: {} });
    assertEquals(routeOf("#members/%E0%A4%A"), { parts: ["members", "%E0%A4%A"], query: {} });
  });
});
