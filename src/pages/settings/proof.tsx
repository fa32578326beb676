/** @jsxImportSource hono/jsx/dom */
/** What proves that it is the member who changes what protects the account. */
import { faultAt } from "../shared/action.ts";
import type { Fault } from "../shared/error_text.ts";
import { TextField } from "../shared/field.tsx";
import { t } from "../shared/language.ts";
import { PasswordField } from "../entering/password_field.tsx";
import { Group, type View } from "../shared/view.ts";

/** A code and a password, as they are typed. */
export interface Proof {
  readonly code: string;
  readonly password: string;
}

/** Nothing typed yet. */
export const NO_PROOF: Proof = { code: "", password: "" };

/** Fields at which refusals are shown that name none. */
export const PROOF_FAULTS: Readonly<Record<string, string>> = {
  "resource.otp.invalid": "code",
  "resource.otp.missing_code": "code",
  "resource.api_key.invalid_totp": "code",
  "resource.api_key.missing_totp": "code",
  "identity.otp.too_many_failures": "code",
  "identity.otp.locked": "code",
  "resource.user.missing_password": "password",
  "resource.user.invalid_password": "password",
  "identity.session.too_many_failures": "password",
};

/** Names of the fields below, as calls have them. */
export const PROOF_FIELDS: readonly string[] = ["code", "totp_code", "password"];

/** Whether both are typed. */
export function isProven({ code, password }: Proof): boolean {
  return code.trim() !== "" && password !== "";
}

interface ProofFieldsProps {
  readonly proof: Proof;
  readonly onProof: (proof: Proof) => void;
  readonly fault: Fault | null;
  /** Whether recovery codes do, too. */
  readonly takesRecovery?: boolean;
  readonly codeHint?: string;
}

/** Fields for the code of the authenticator, and the password. */
export function ProofFields(props: ProofFieldsProps): View {
  const { proof, onProof, fault, takesRecovery = false } = props;
  return (
    <Group>
      <TextField
        label={takesRecovery ? t.account.codeOrRecovery : t.account.code}
        name="one-time-code"
        autoComplete="one-time-code"
        inputMode={takesRecovery ? "text" : "numeric"}
        value={proof.code}
        onText={(code) => onProof({ ...proof, code })}
        maxLength={32}
        fault={faultAt(fault, "code", "totp_code")}
        hint={props.codeHint}
        isFigure
      />
      <PasswordField
        label={t.account.password}
        name="current-password"
        value={proof.password}
        onText={(password) => onProof({ ...proof, password })}
        fault={faultAt(fault, "password")}
      />
    </Group>
  );
}
