/** The endpoints of beneficiaries. */
import { type Endpoint, endpoint } from "../contract.ts";
import {
  backendPaths,
  created,
  noContent,
  NOT_FOUND,
  ofAccount,
  ok,
  okPage,
} from "../endpoint_parts.ts";
import { BENEFICIARY_EXAMPLE } from "../schemas/account_examples.ts";
import {
  ACTIVATION,
  BENEFICIARIES_QUERY,
  BENEFICIARY,
  NEW_BENEFICIARY,
} from "../schemas/beneficiaries.ts";
import { NO_CURRENCY } from "./account_currency.ts";
import {
  activateBeneficiary,
  createBeneficiary,
  deleteBeneficiary,
  listBeneficiaries,
  readBeneficiary,
  resendPin,
  RESENT_TOO_SOON,
  WITHDRAWAL_DISABLED,
} from "./beneficiaries.ts";

const PREFIX = "account.beneficiary";
const PINS_THROTTLED = ["identity.code.sent_recently"];
const PINS_SENT = "After five pins in an hour, of whichever beneficiaries, none is sent for an " +
  "hour: 429 with `Retry-After`.";
const NO_INTEGER = `${PREFIX}.non_integer_id`;
const ACTIVE_EXAMPLE = { ...BENEFICIARY_EXAMPLE, state: "active" };

/** Endpoints of beneficiaries. */
export const BENEFICIARY_ENDPOINTS: readonly Endpoint[] = [
  endpoint({
    id: "createBeneficiary",
    method: "POST",
    paths: backendPaths("account/beneficiaries"),
    ...ofAccount("withdraw"),
    summary: "Make a beneficiary",
    description: "It is pending until it is activated by the pin that is sent to you. " +
      `${PINS_SENT} Meanwhile no beneficiary is made.`,
    levels: ["withdraw"],
    body: {
      schema: NEW_BENEFICIARY,
      example: {
        currency: "btc",
        name: "My cold wallet",
        data: { address: "sandbox-btc-4be1d0" },
      },
      asGiven: "data",
    },
    answer: created("The beneficiary.", BENEFICIARY, BENEFICIARY_EXAMPLE),
    errors: {
      422: [
        `${PREFIX}.missing_data`,
        `${PREFIX}.empty_data`,
        `${PREFIX}.non_json_data`,
        `${PREFIX}.too_long_data`,
        NO_CURRENCY,
        WITHDRAWAL_DISABLED,
        `${PREFIX}.missing_address_in_data`,
        `${PREFIX}.missing_full_name_in_data`,
        `${PREFIX}.failed_to_create`,
        `${PREFIX}.limit_exceeded`,
        `${PREFIX}.duplicate_address`,
      ],
      429: PINS_THROTTLED,
    },
    handle: createBeneficiary,
  }),
  endpoint({
    id: "listBeneficiaries",
    method: "GET",
    paths: backendPaths("account/beneficiaries"),
    ...ofAccount("read"),
    summary: "Your beneficiaries",
    levels: ["withdraw"],
    query: BENEFICIARIES_QUERY,
    answer: okPage("Beneficiaries, oldest first.", BENEFICIARY, ACTIVE_EXAMPLE),
    errors: { 422: [NO_CURRENCY, `${PREFIX}.invalid_page`] },
    handle: listBeneficiaries,
  }),
  endpoint({
    id: "readBeneficiary",
    method: "GET",
    paths: backendPaths("account/beneficiaries/{id}"),
    ...ofAccount("read"),
    summary: "One of your beneficiaries",
    levels: ["withdraw"],
    answer: ok("The beneficiary.", BENEFICIARY, ACTIVE_EXAMPLE),
    errors: { ...NOT_FOUND, 422: [NO_INTEGER] },
    handle: readBeneficiary,
  }),
  endpoint({
    id: "deleteBeneficiary",
    method: "DELETE",
    paths: backendPaths("account/beneficiaries/{id}"),
    ...ofAccount("withdraw"),
    summary: "Delete a beneficiary",
    description: "Withdrawals to it that were asked for before go on.",
    levels: ["withdraw"],
    answer: noContent("It is deleted."),
    errors: { ...NOT_FOUND, 422: [NO_INTEGER] },
    handle: deleteBeneficiary,
  }),
  endpoint({
    id: "activateBeneficiary",
    method: "PATCH",
    paths: backendPaths("account/beneficiaries/{id}/activate"),
    ...ofAccount("withdraw"),
    summary: "Activate a beneficiary by its pin",
    description: "A pin lives 15 minutes and takes five wrong tries; then another one has to be " +
      "sent. After ten wrong tries in an hour, of whichever beneficiaries, none is looked at for " +
      "an hour, then for two. A new beneficiary may have to wait before the first withdrawal.",
    levels: ["withdraw"],
    body: { schema: ACTIVATION, example: { pin: 314159 } },
    answer: ok("The active beneficiary.", BENEFICIARY, ACTIVE_EXAMPLE),
    errors: {
      ...NOT_FOUND,
      422: [NO_INTEGER, `${PREFIX}.cant_activate`],
      429: ["account.beneficiary.too_many_failures"],
    },
    handle: activateBeneficiary,
  }),
  endpoint({
    id: "resendPin",
    method: "PATCH",
    paths: backendPaths("account/beneficiaries/{id}/resend_pin"),
    ...ofAccount("withdraw"),
    summary: "Send another pin",
    description: "The pin sent before is good no more. Within a minute of it no other is sent: " +
      `422 with its \`sent_at\`. ${PINS_SENT}`,
    levels: ["withdraw"],
    answer: ok("The beneficiary.", BENEFICIARY, BENEFICIARY_EXAMPLE),
    errors: {
      ...NOT_FOUND,
      422: [NO_INTEGER, `${PREFIX}.cant_resend`, RESENT_TOO_SOON],
      429: PINS_THROTTLED,
    },
    handle: resendPin,
  }),
];
