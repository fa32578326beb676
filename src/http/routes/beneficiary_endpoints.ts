/** Declares the endpoints of beneficiaries. */
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
import { BENEFICIARY_EXAMPLE } from "../../edge/schemas/account_examples.ts";
import {
  ACTIVATION,
  BENEFICIARIES_QUERY,
  BENEFICIARY,
  BENEFICIARY_BODY_BYTES_MAX,
  NEW_BENEFICIARY,
} from "../../edge/schemas/beneficiaries.ts";
import { NO_CURRENCY, NO_NETWORK } from "./account_currency.ts";
import {
  activateBeneficiary,
  createBeneficiary,
  deleteBeneficiary,
  INVALID_ADDRESS,
  INVALID_TAG,
  listBeneficiaries,
  readBeneficiary,
  resendPin,
  RESENT_TOO_SOON,
  UNSUPPORTED_FIELD,
  VENUE_ADDRESS,
  WITHDRAWAL_DISABLED,
} from "./beneficiaries.ts";

const PREFIX = "account.beneficiary";
const PINS_THROTTLED = ["identity.code.sent_recently"];
const PINS_SENT =
  "After five pins in an hour, across all beneficiaries, none is sent for an hour: 429 with " +
  "`Retry-After`.";
const NO_INTEGER = `${PREFIX}.non_integer_id`;
const ACTIVE_EXAMPLE = { ...BENEFICIARY_EXAMPLE, state: "active" };

/** Endpoints of beneficiaries. */
export const BENEFICIARY_ENDPOINTS: readonly Endpoint[] = [
  endpoint({
    id: "createBeneficiary",
    method: "POST",
    paths: backendPaths("account/beneficiaries"),
    ...ofAccount("withdraw"),
    summary: "Create a beneficiary",
    description: "The beneficiary is pending until you activate it with the pin sent to you. " +
      `${PINS_SENT} During that hour no beneficiary can be created.`,
    levels: ["withdraw"],
    body: {
      schema: NEW_BENEFICIARY,
      bytesMax: BENEFICIARY_BODY_BYTES_MAX,
      example: {
        currency: "btc",
        name: "My cold wallet",
        data: { address: "sandbox-btc-4be1d0" },
      },
      asGiven: "data",
      isFormFirst: true,
    },
    answer: created("The beneficiary.", BENEFICIARY, BENEFICIARY_EXAMPLE),
    errors: {
      422: [
        `${PREFIX}.missing_data`,
        `${PREFIX}.empty_data`,
        `${PREFIX}.non_json_data`,
        `${PREFIX}.too_long_data`,
        NO_CURRENCY,
        NO_NETWORK,
        WITHDRAWAL_DISABLED,
        `${PREFIX}.missing_address_in_data`,
        `${PREFIX}.missing_full_name_in_data`,
        `${PREFIX}.failed_to_create`,
        INVALID_ADDRESS,
        VENUE_ADDRESS,
        INVALID_TAG,
        UNSUPPORTED_FIELD,
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
    summary: "List your beneficiaries",
    levels: ["withdraw"],
    query: BENEFICIARIES_QUERY,
    answer: okPage("Beneficiaries, oldest first.", BENEFICIARY, ACTIVE_EXAMPLE),
    errors: { 422: [NO_CURRENCY] },
    handle: listBeneficiaries,
  }),
  endpoint({
    id: "readBeneficiary",
    method: "GET",
    paths: backendPaths("account/beneficiaries/{id}"),
    ...ofAccount("read"),
    summary: "Get a beneficiary",
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
    description: "Withdrawals already requested to it continue.",
    levels: ["withdraw"],
    answer: noContent("The beneficiary is deleted."),
    errors: { ...NOT_FOUND, 422: [NO_INTEGER] },
    handle: deleteBeneficiary,
  }),
  endpoint({
    id: "activateBeneficiary",
    method: "PATCH",
    paths: backendPaths("account/beneficiaries/{id}/activate"),
    ...ofAccount("withdraw"),
    summary: "Activate a beneficiary",
    description:
      "A pin is valid for 15 minutes and for five wrong attempts; then request another one. " +
      "After ten wrong attempts in an hour, across all beneficiaries, pins are refused for an " +
      "hour, and each further time for twice as long, up to a day. A new beneficiary may have " +
      "to wait before its first withdrawal.",
    levels: ["withdraw"],
    body: { schema: ACTIVATION, example: { pin: 314159 }, isFormFirst: true },
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
    summary: "Resend the pin of a beneficiary",
    description:
      "The previous pin is no longer valid. Pins are sent at least a minute apart: otherwise " +
      `422 with the \`sent_at\` of the last. ${PINS_SENT}`,
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
