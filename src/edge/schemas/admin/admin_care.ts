/** Schemas of operators' calls that help a member: notes and its address. */
import * as z from "zod";
import { isoTime } from "../answers.ts";
import { newEmail } from "../email.ts";
import { OBJECT, text } from "../fields.ts";

const NOTE = "admin.note";
/** Maximum length of a note, in characters. */
export const NOTE_LENGTH_MAX = 1000;

/** A new note. */
export const NEW_NOTE = z.object({
  text: text({
    prefix: NOTE,
    name: "text",
    lengthMin: 1,
    lengthMax: NOTE_LENGTH_MAX,
    pattern: /\S/,
  }, {
    description: "What other operators should know; the member never sees it.",
    example: "called on 2 March, will send papers",
  }),
}, OBJECT).meta({ id: "MemberNoteInput", description: "A note about a member." });

/** A note about a member. */
export const MEMBER_NOTE = z.object({
  id: z.int().meta({ description: "Number of the act that made it." }),
  text: z.string(),
  uid: z.string().meta({ description: "The operator." }),
  kid: z.string().nullable().meta({ description: "Its access key; null for a session." }),
  created_at: isoTime("Time of the note."),
}).meta({ id: "MemberNote", description: "A note of an operator about a member." });

/** A member's new address. */
export const NEW_MEMBER_EMAIL = z.object({
  email: newEmail("admin.member", {
    description: "Email address; unique among members.",
    example: "carol.new@example.org",
  }),
}, OBJECT).meta({ id: "MemberEmailInput", description: "A member's new email address." });
