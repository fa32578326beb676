/** @jsxImportSource hono/jsx/dom */
/** Signing in: with a password, and the second factor's code where it is on. */
import { useState } from "hono/jsx/dom";
import { VenueError } from "../../client/client.ts";
import { faultAt, useAction } from "../shared/action.ts";
import { TextField } from "../shared/field.tsx";
import { Form } from "../shared/form.tsx";
import { t } from "../shared/language.ts";
import { venue } from "../shared/session.ts";
import { Group, type View } from "../shared/view.ts";
import { Entrance } from "./entrance.tsx";
import { PasswordField } from "./password_field.tsx";
import { whereTo } from "./where_to.ts";

/** Fields at which refusals are shown that name none. */
const FIELDS = {
  "identity.session.invalid_params": "password",
  "identity.session.missing_otp": "otp_code",
  "identity.session.invalid_otp": "otp_code",
  "identity.otp.too_many_failures": "otp_code",
};
/** Refusals after which a code is asked for: on guard, a password passes only together with it. */
const ASKS_CODE = [
  "identity.session.missing_otp",
  "identity.session.invalid_otp",
  "identity.session.too_many_failures",
];
const CODE_LENGTH_MAX = 32;

/** The page for signing in. */
export function SignIn(): View {
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const [code, setCode] = useState("");
  const [asksCode, setAsksCode] = useState(false);
  const entry = useAction(async () => {
    try {
      const given = code.trim() === "" ? {} : { otp_code: code.trim() };
      await venue.signIn({ email: email.trim(), password, ...given });
    } catch (error) {
      if (error instanceof VenueError && ASKS_CODE.includes(error.code)) setAsksCode(true);
      throw error;
    }
    location.assign(whereTo(location.search, location.origin));
  }, FIELDS);
  const { fault } = entry;
  // What is asked for the first time is no fault.
  const isAsked = asksCode && code === "" && fault?.field === "otp_code";
  return (
    <Entrance title={t.signIn.signIn} elsewhere={<Elsewhere />}>
      <Form
        label={t.signIn.signIn}
        submit={t.signIn.signIn}
        onSubmit={() => void entry.run()}
        isBusy={entry.isBusy}
        isDisabled={email.trim() === "" || password === ""}
        fault={isAsked ? null : fault}
        fields={asksCode ? ["email", "password", "otp_code"] : ["email", "password"]}
      >
        <TextField
          label={t.signIn.email}
          type="email"
          name="email"
          autoComplete="username"
          value={email}
          onText={setEmail}
          fault={faultAt(fault, "email")}
          hasFocus
        />
        <PasswordField
          label={t.signIn.password}
          name="password"
          value={password}
          onText={setPassword}
          fault={faultAt(fault, "password")}
        />
        {asksCode
          ? (
            <TextField
              label={t.signIn.code}
              name="otp_code"
              autoComplete="one-time-code"
              value={code}
              onText={setCode}
              maxLength={CODE_LENGTH_MAX}
              hint={t.signIn.codeHint}
              fault={isAsked ? undefined : faultAt(fault, "otp_code")}
              isFigure
              hasFocus
            />
          )
          : null}
      </Form>
    </Entrance>
  );
}

function Elsewhere(): View {
  return (
    <Group>
      <a href="/reset">{t.signIn.forgotten}</a>
      <span>
        {t.signIn.newHere} <a href={`/signup${location.search}`}>{t.shell.signUp}</a>
      </span>
    </Group>
  );
}
