/** @jsxImportSource hono/jsx/dom */
/** Signing up: an address and a password, then the code that was sent to the address. */
import { useState } from "hono/jsx/dom";
import { type Action, faultAt, useAction } from "../shared/action.ts";
import { TextField } from "../shared/field.tsx";
import { Form } from "../shared/form.tsx";
import { t } from "../shared/language.ts";
import { venue } from "../shared/session.ts";
import { Group, type View } from "../shared/view.ts";
import { Entrance, WhereCodeIs } from "./entrance.tsx";
import { PasswordField, PasswordStrength } from "./password_field.tsx";
import { whereTo } from "./where_to.ts";

/** Fields at which refusals are shown that name none. */
const FIELDS = {
  "password.requirements": "password",
  "identity.user.invalid_email": "email",
  "identity.user.invalid_token": "token",
  "identity.user.wrong_password": "password",
};

interface Typed {
  readonly email: string;
  readonly password: string;
}

/** The page for signing up. */
export function SignUp(): View {
  const [typed, setTyped] = useState<Typed>({ email: "", password: "" });
  const [isSent, setIsSent] = useState(false);
  return (
    <Entrance
      title={isSent ? t.signIn.confirmTitle : t.signIn.signUp}
      elsewhere={
        <Group>
          <span>
            {t.signIn.haveAccount} <a href={`/signin${location.search}`}>{t.shell.signIn}</a>
          </span>
          {isSent ? null : (
            <button type="button" class="link" onClick={() => setIsSent(true)}>
              {t.signIn.haveCode}
            </button>
          )}
        </Group>
      }
    >
      {isSent
        ? <Confirming typed={typed} onTyped={setTyped} />
        : <Registering typed={typed} onTyped={setTyped} onSent={() => setIsSent(true)} />}
    </Entrance>
  );
}

interface StepProps {
  readonly typed: Typed;
  readonly onTyped: (typed: Typed) => void;
}

function Registering(
  { typed, onTyped, onSent }: StepProps & { readonly onSent: () => void },
): View {
  const { email, password } = typed;
  const entry = useAction(async () => {
    await venue.post("/api/v2/auth/identity/users", { body: { email: email.trim(), password } });
    onSent();
  }, FIELDS);
  return (
    <Form
      label={t.signIn.signUp}
      submit={t.signIn.signUpNow}
      onSubmit={() => void entry.run()}
      isBusy={entry.isBusy}
      isDisabled={email.trim() === "" || password === ""}
      fault={entry.fault}
      fields={["email", "password"]}
    >
      <Credentials typed={typed} onTyped={onTyped} entry={entry} isNew />
      <PasswordStrength password={password} />
    </Form>
  );
}

function Confirming({ typed, onTyped }: StepProps): View {
  const { email, password } = typed;
  const [code, setCode] = useState("");
  const [isComplete] = useState(email !== "" && password !== "");
  const entry = useAction(async () => {
    const body = { token: code.trim(), password };
    await venue.post("/api/v2/auth/identity/users/email/confirm_code", { body });
    await venue.signIn({ email: email.trim(), password });
    location.assign(whereTo(location.search, location.origin));
  }, FIELDS);
  const [isSentAgain, setIsSentAgain] = useState(false);
  const again = useAction(async () => {
    setIsSentAgain(false);
    const body = { email: email.trim() };
    await venue.post("/api/v2/auth/identity/users/email/generate_code", { body });
    setIsSentAgain(true);
  });
  return (
    <Form
      label={t.signIn.confirmTitle}
      submit={t.signIn.confirm}
      onSubmit={() => void entry.run()}
      isBusy={entry.isBusy}
      isDisabled={code.trim() === "" || email.trim() === "" || password === ""}
      fault={entry.fault ?? again.fault}
      fields={isComplete ? ["token"] : ["token", "email", "password"]}
      more={
        <button
          type="button"
          class="quiet"
          disabled={again.isBusy || email.trim() === ""}
          onClick={() => void again.run()}
        >
          {t.signIn.sendAgain}
        </button>
      }
    >
      {isComplete ? <WhereCodeIs email={email} /> : null}
      {isComplete ? null : <Credentials typed={typed} onTyped={onTyped} entry={entry} />}
      <TextField
        label={t.signIn.mailedCode}
        name="token"
        autoComplete="one-time-code"
        value={code}
        onText={setCode}
        fault={faultAt(entry.fault, "token")}
        isFigure
        hasFocus={isComplete}
      />
      {isSentAgain ? <p class="note good" role="status">{t.signIn.sentAgain}</p> : null}
    </Form>
  );
}

function Credentials({ typed, onTyped, entry, isNew = false }: StepProps & {
  readonly entry: Action<[]>;
  readonly isNew?: boolean;
}): View {
  return (
    <Group>
      <TextField
        label={t.signIn.email}
        type="email"
        name="email"
        autoComplete="username"
        value={typed.email}
        onText={(email) => onTyped({ ...typed, email })}
        fault={faultAt(entry.fault, "email")}
        hasFocus
      />
      <PasswordField
        label={t.signIn.password}
        name="password"
        value={typed.password}
        onText={(password) => onTyped({ ...typed, password })}
        fault={faultAt(entry.fault, "password")}
        isNew={isNew}
        {...(isNew ? { hint: t.signIn.passwordHint } : {})}
      />
    </Group>
  );
}
