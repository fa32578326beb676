/** @jsxImportSource hono/jsx/dom */
/** A new password in place of a forgotten one, by a code that is mailed. */
import { useState } from "hono/jsx/dom";
import { faultAt, useAction } from "../shared/action.ts";
import { TextField } from "../shared/field.tsx";
import { Form } from "../shared/form.tsx";
import { t } from "../shared/language.ts";
import { venue } from "../shared/session.ts";
import { Group, type View } from "../shared/view.ts";
import { Entrance, WhereCodeIs } from "./entrance.tsx";
import { PasswordField, PasswordStrength } from "./password_field.tsx";

/** Fields at which refusals are shown that name none. */
const FIELDS = {
  "identity.user.invalid_email": "email",
  "identity.password.invalid_token": "token",
  "identity.password.otp_not_new": "disable_otp",
  "password.requirements": "password",
};

type Step = "asking" | "choosing" | "done";

/** The page for a forgotten password. */
export function Reset(): View {
  const [step, setStep] = useState<Step>("asking");
  const [email, setEmail] = useState("");
  return (
    <Entrance
      title={t.signIn.reset}
      elsewhere={
        <Group>
          <a href="/signin">{t.shell.signIn}</a>
          {step === "asking"
            ? (
              <button type="button" class="link" onClick={() => setStep("choosing")}>
                {t.signIn.haveCode}
              </button>
            )
            : null}
        </Group>
      }
    >
      {step === "asking"
        ? <Asking email={email} onEmail={setEmail} onSent={() => setStep("choosing")} />
        : step === "choosing"
        ? <Choosing email={email} onDone={() => setStep("done")} />
        : (
          <p class="note good" role="status">
            {t.signIn.resetDone} <a href="/signin">{t.shell.signIn}</a>
          </p>
        )}
    </Entrance>
  );
}

function Asking({ email, onEmail, onSent }: {
  readonly email: string;
  readonly onEmail: (email: string) => void;
  readonly onSent: () => void;
}): View {
  const entry = useAction(async () => {
    const body = { email: email.trim() };
    await venue.post("/api/v2/auth/identity/users/password/generate_code", { body });
    onSent();
  }, FIELDS);
  return (
    <Form
      label={t.signIn.reset}
      submit={t.signIn.sendCode}
      onSubmit={() => void entry.run()}
      isBusy={entry.isBusy}
      isDisabled={email.trim() === ""}
      fault={entry.fault}
      fields={["email"]}
    >
      <p class="soft">{t.signIn.resetHow}</p>
      <TextField
        label={t.signIn.email}
        type="email"
        name="email"
        autoComplete="username"
        value={email}
        onText={onEmail}
        fault={faultAt(entry.fault, "email")}
        hasFocus
      />
    </Form>
  );
}

function Choosing(
  { email, onDone }: { readonly email: string; readonly onDone: () => void },
): View {
  const [code, setCode] = useState("");
  const [password, setPassword] = useState("");
  const [repeated, setRepeated] = useState("");
  const [hasLostFactor, setHasLostFactor] = useState(false);
  const entry = useAction(async () => {
    await venue.post("/api/v2/auth/identity/users/password/confirm_code", {
      body: {
        reset_password_token: code.trim(),
        password,
        confirm_password: repeated,
        ...(hasLostFactor ? { disable_otp: true } : {}),
      },
    });
    onDone();
  }, FIELDS);
  const { fault } = entry;
  const differs = repeated !== "" && !password.startsWith(repeated) && repeated !== password;
  return (
    <Form
      label={t.signIn.reset}
      submit={t.signIn.setPassword}
      onSubmit={() => void entry.run()}
      isBusy={entry.isBusy}
      isDisabled={code.trim() === "" || password === "" || repeated !== password}
      fault={fault}
      fields={["token", "reset_password_token", "password", "confirm_password"]}
    >
      {email === "" ? null : <WhereCodeIs email={email} />}
      <TextField
        label={t.signIn.mailedCode}
        name="token"
        autoComplete="one-time-code"
        value={code}
        onText={setCode}
        fault={faultAt(fault, "token", "reset_password_token")}
        isFigure
        hasFocus
      />
      <PasswordField
        label={t.signIn.newPassword}
        name="new-password"
        value={password}
        onText={setPassword}
        fault={faultAt(fault, "password")}
        hint={t.signIn.passwordHint}
        isNew
      />
      <PasswordStrength password={password} />
      <PasswordField
        label={t.signIn.repeat}
        name="repeated-password"
        value={repeated}
        onText={setRepeated}
        fault={differs ? t.signIn.differs : faultAt(fault, "confirm_password")}
        isNew
      />
      <LostFactor isLost={hasLostFactor} onLost={setHasLostFactor} />
    </Form>
  );
}

function LostFactor(
  { isLost, onLost }: { readonly isLost: boolean; readonly onLost: (isLost: boolean) => void },
): View {
  return (
    <label class="check">
      <input type="checkbox" checked={isLost} onChange={() => onLost(!isLost)} />
      <span>
        {t.signIn.lostFactor}
        <span class="hint">{t.signIn.lostFactorHint}</span>
      </span>
    </label>
  );
}
