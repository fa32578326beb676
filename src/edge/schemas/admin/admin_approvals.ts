/** Schemas of acts that take two operators. */
import * as z from "zod";
import { isoTime } from "../answers.ts";
import { optional, word } from "../fields.ts";
import { PAGE_QUERY } from "../lists.ts";

const STATES = ["pending", "approved", "refused"] as const;

/** Query of the list. */
export const PENDING_ACTS_QUERY = PAGE_QUERY.extend({
  state: optional(word("admin.approval", "state", ["pending", "decided"], {
    description: "Those that wait, by default, or those that were decided on.",
  })),
});

const operator = {
  uid: z.string().meta({ description: "The operator." }),
  email: z.string().nullable().meta({ description: "Email address that it has now." }),
  kid: z.string().nullable().meta({
    description: "Access key that signed; null if the operator acted in a session.",
  }),
};

/** An act that takes two operators. */
export const PENDING_ACT = z.object({
  id: z.int().meta({ description: "Number of the act that asked for it.", examples: [31] }),
  state: z.enum(STATES),
  action: z.string().meta({
    description: "Operation id of the request.",
    examples: ["createAdjustment"],
  }),
  target: z.record(z.string(), z.string()).meta({ description: "Path parameters." }),
  changes: z.record(z.string(), z.unknown()).meta({ description: "Body fields." }),
  member: z.string().meta({ description: "The member that it touches." }),
  reason: z.string().nullable().meta({ description: "Reason given; null if none." }),
  first: z.object(operator).meta({ id: "FirstOperator", description: "Who has asked for it." }),
  second: z.object({
    ...operator,
    act: z.int().meta({ description: "Number of its act." }),
    reason: z.string().nullable().meta({ description: "Reason given; null if none." }),
    at: isoTime("Time of the decision."),
  }).nullable().meta({ id: "SecondOperator", description: "Who has decided; null if nobody has." }),
  created_at: isoTime("Time when it was asked for."),
}).meta({ id: "PendingAct", description: "An act that takes two operators." });

/** Example of one that waits. */
export const PENDING_ACT_EXAMPLE = {
  id: 31,
  state: "pending",
  action: "createAdjustment",
  target: {},
  changes: { uid: "ID0A1B2C3D4E", currency: "btc", amount: "100.0" },
  member: "ID0A1B2C3D4E",
  reason: "opening balance",
  first: { uid: "ID0B0B0B0B0B", email: "ann@example.org", kid: null },
  second: null,
  created_at: "2020-03-02T10:51:00Z",
} as const;
