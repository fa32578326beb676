/** @jsxImportSource hono/jsx/dom */
/** Another password, and which keys outlive the change. */
import { useEffect, useState } from "hono/jsx/dom";
import type { Records } from "../../client/client.ts";
import { PasswordField, PasswordStrength } from "../entering/password_field.tsx";
import { faultAt, useAction } from "../shared/action.ts";
import { TextField } from "../shared/field.tsx";
import { Form } from "../shared/form.tsx";
import { t } from "../shared/language.ts";
import { me, venue } from "../shared/session.ts";
import { useShown } from "../shared/shown.ts";
import { Group, type View } from "../shared/view.ts";

type Key = Records["OwnApiKey"];

const FAULTS = {
  "resource.password.prev_pass_not_correct": "old_password",
  "resource.password.no_change_provided": "new_password",
  "password.requirements": "new_password",
  "resource.api_key.invalid_totp": "totp_code",
  "resource.api_key.missing_totp": "totp_code",
};
const FIELDS = ["old_password", "new_password", "confirm_password", "totp_code"];
const KEYS_MAX = 100;

/** The form for another password. */
export function PasswordChange(): View {
  const [typed, setTyped] = useState({ before: "", next: "", repeated: "", code: "" });
  const [keepsKeys, setKeepsKeys] = useState(false);
  const [isDone, setIsDone] = useState(false);
  const keys = useActiveKeys(isDone);
  const entry = useAction(async () => {
    const kept = keepsKeys
      ? { keep_keys: keys.map(({ kid }) => kid), totp_code: typed.code.trim() }
      : {};
    setIsDone(false);
    await venue.put("/api/v2/auth/resource/users/password", {
      body: {
        old_password: typed.before,
        new_password: typed.next,
        confirm_password: typed.repeated,
        ...kept,
      },
    });
    setTyped({ before: "", next: "", repeated: "", code: "" });
    setIsDone(true);
    me.set(await venue.resume());
  }, FAULTS);
  const { before, next, repeated, code } = typed;
  const isTyped = before !== "" && next !== "" && repeated === next &&
    (!keepsKeys || code.trim() !== "");
  return (
    <section class="sheet" aria-labelledby="password">
      <h2 id="password">{t.account.changePassword}</h2>
      <Form
        label={t.account.changePassword}
        submit={t.account.changePassword}
        onSubmit={() => void entry.run()}
        isBusy={entry.isBusy}
        isDisabled={!isTyped}
        fault={entry.fault}
        fields={FIELDS}
      >
        <Passwords
          typed={typed}
          onTyped={(changed) => setTyped({ ...typed, ...changed })}
          faultOf={(name) => faultAt(entry.fault, name)}
        />
        {keys.length === 0 ? null : (
          <KeptKeys
            count={keys.length}
            isKept={keepsKeys}
            onKept={setKeepsKeys}
            code={code}
            onCode={(text) => setTyped({ ...typed, code: text })}
            fault={faultAt(entry.fault, "totp_code")}
          />
        )}
        <p class="hint">{t.account.passwordEnds}</p>
        {isDone ? <p class="note good" role="status">{t.account.passwordChanged}</p> : null}
      </Form>
    </section>
  );
}

function KeptKeys({ count, isKept, onKept, code, onCode, fault }: {
  readonly count: number;
  readonly isKept: boolean;
  readonly onKept: (isKept: boolean) => void;
  readonly code: string;
  readonly onCode: (code: string) => void;
  readonly fault: string | undefined;
}): View {
  return (
    <Group>
      <label class="check">
        <input type="checkbox" checked={isKept} onChange={() => onKept(!isKept)} />
        {t.account.keepKeys(count)}
      </label>
      {isKept
        ? (
          <TextField
            label={t.account.code}
            name="one-time-code"
            autoComplete="one-time-code"
            inputMode="numeric"
            value={code}
            onText={onCode}
            fault={fault}
            isFigure
          />
        )
        : null}
    </Group>
  );
}

interface Typed {
  readonly before: string;
  readonly next: string;
  readonly repeated: string;
}

function Passwords({ typed: { before, next, repeated }, onTyped, faultOf }: {
  readonly typed: Typed;
  readonly onTyped: (changed: Partial<Typed>) => void;
  readonly faultOf: (name: string) => string | undefined;
}): View {
  const differs = repeated !== "" && !next.startsWith(repeated);
  return (
    <Group>
      <PasswordField
        label={t.account.password}
        name="current-password"
        value={before}
        onText={(text) => onTyped({ before: text })}
        fault={faultOf("old_password")}
      />
      <PasswordField
        label={t.signIn.newPassword}
        name="new-password"
        value={next}
        onText={(text) => onTyped({ next: text })}
        fault={faultOf("new_password")}
        hint={t.signIn.passwordHint}
        isNew
      />
      <PasswordStrength password={next} />
      <PasswordField
        label={t.signIn.repeat}
        name="repeated-password"
        value={repeated}
        onText={(text) => onTyped({ repeated: text })}
        fault={differs ? t.signIn.differs : faultOf("confirm_password")}
        isNew
      />
    </Group>
  );
}

/** Returns the keys that work, and could be kept; none without a second factor. */
function useActiveKeys(isChanged: boolean): readonly Key[] {
  const hasFactor = useShown(me)?.otp === true;
  const [keys, setKeys] = useState<readonly Key[]>([]);
  useEffect(() => {
    if (!hasFactor) return setKeys([]);
    venue.get("/api/v2/auth/resource/api_keys", { query: { limit: KEYS_MAX } })
      .then((all) => setKeys(all.filter(({ state }) => state === "active")))
      // Without them none can be kept, which the form says.
      .catch(() => setKeys([]));
  }, [hasFactor, isChanged]);
  return keys;
}
