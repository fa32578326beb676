/** @jsxImportSource hono/jsx/dom */
/** The second factor: turned on with a QR code, and off with a code of it. */
import { useState } from "hono/jsx/dom";
import { useAction } from "../shared/action.ts";
import { CopyButton } from "../shared/copy_button.tsx";
import { Form } from "../shared/form.tsx";
import { t } from "../shared/language.ts";
import { QrCode } from "../shared/qr_code.tsx";
import { me, venue } from "../shared/session.ts";
import { useShown } from "../shared/shown.ts";
import type { View } from "../shared/view.ts";
import { isProven, NO_PROOF, PROOF_FAULTS, PROOF_FIELDS, ProofFields } from "./proof.tsx";

/** A secret that is not in force yet. */
interface Secret {
  readonly url: string;
  readonly secret: string;
}

/** The second factor as it is, and what can be done about it. */
export function TwoFactor(): View {
  const isOn = useShown(me)?.otp === true;
  const [recovery, setRecovery] = useState<readonly string[] | null>(null);
  return (
    <section class="sheet" aria-labelledby="two-factor">
      <div class="head">
        <h2 id="two-factor">{t.account.twoFactor}</h2>
        <span class={isOn ? "state good" : "state bad"}>{isOn ? t.account.on : t.account.off}</span>
      </div>
      {recovery !== null
        ? <Recovery codes={recovery} onKept={() => setRecovery(null)} />
        : isOn
        ? <TurningOff />
        : <TurningOn onRecovery={setRecovery} />}
    </section>
  );
}

function TurningOn(
  { onRecovery }: { readonly onRecovery: (codes: readonly string[]) => void },
): View {
  const [secret, setSecret] = useState<Secret | null>(null);
  const begin = useAction(async () => {
    const { data } = await venue.post("/api/v2/auth/resource/otp/generate_qrcode");
    setSecret(data);
  });
  if (secret !== null) return <Enabling secret={secret} onRecovery={onRecovery} />;
  return (
    <div class="form">
      <p class="soft">{t.account.twoFactorWhy}</p>
      {begin.fault === null ? null : <p class="note bad" role="alert">{begin.fault.text}</p>}
      <div class="row">
        <button type="button" disabled={begin.isBusy} onClick={() => void begin.run()}>
          {t.account.turnOn}
        </button>
      </div>
    </div>
  );
}

function Enabling({ secret: { url, secret }, onRecovery }: {
  readonly secret: Secret;
  readonly onRecovery: (codes: readonly string[]) => void;
}): View {
  const [proof, setProof] = useState(NO_PROOF);
  const entry = useAction(async () => {
    const body = { code: proof.code.trim(), password: proof.password };
    const { recovery_codes: codes } = await venue.post("/api/v2/auth/resource/otp/enable", {
      body,
    });
    onRecovery(codes);
    me.set(await venue.resume());
  }, PROOF_FAULTS);
  return (
    <div class="address">
      <QrCode text={url} label={t.account.qrOfSecret} />
      <div class="form">
        <p>{t.account.scan}</p>
        <div class="row">
          <code class="figures breaking" aria-label={t.account.secret}>{secret}</code>
          <CopyButton text={secret} label={t.account.copySecret} />
        </div>
        <Form
          label={t.account.turnOn}
          submit={t.account.turnOn}
          onSubmit={() => void entry.run()}
          isBusy={entry.isBusy}
          isDisabled={!isProven(proof)}
          fault={entry.fault}
          fields={PROOF_FIELDS}
        >
          <ProofFields proof={proof} onProof={setProof} fault={entry.fault} />
          <p class="hint">{t.account.factorEnds}</p>
        </Form>
      </div>
    </div>
  );
}

/** The recovery codes, which nobody sees again. */
function Recovery(
  { codes, onKept }: { readonly codes: readonly string[]; readonly onKept: () => void },
): View {
  return (
    <div class="form">
      <p class="note good" role="status">{t.account.isOnNow}</p>
      <h3>{t.account.recoveryCodes}</h3>
      <p>{t.account.recoveryHow}</p>
      <ul class="recovery figures">
        {codes.map((code) => <li key={code}>{code}</li>)}
      </ul>
      <div class="row">
        <CopyButton text={codes.join("\n")} label={t.account.copyCodes} />
        <button type="button" onClick={onKept}>{t.account.codesKept}</button>
      </div>
    </div>
  );
}

function TurningOff(): View {
  const [isAsked, setIsAsked] = useState(false);
  const [proof, setProof] = useState(NO_PROOF);
  const entry = useAction(async () => {
    const body = { code: proof.code.trim(), password: proof.password };
    await venue.post("/api/v2/auth/resource/otp/disable", { body });
    me.set(await venue.resume());
  }, PROOF_FAULTS);
  if (!isAsked) {
    return (
      <div class="form">
        <p class="soft">{t.account.isOn}</p>
        <div class="row">
          <button type="button" class="quiet" onClick={() => setIsAsked(true)}>
            {t.account.turnOff}
          </button>
        </div>
      </div>
    );
  }
  return (
    <Form
      label={t.account.turnOff}
      submit={t.account.turnOff}
      kind="danger"
      onSubmit={() => void entry.run()}
      isBusy={entry.isBusy}
      isDisabled={!isProven(proof)}
      fault={entry.fault}
      fields={PROOF_FIELDS}
      more={
        <button type="button" class="quiet" onClick={() => setIsAsked(false)}>
          {t.shell.cancel}
        </button>
      }
    >
      <p class="note warn">{t.account.offMeans} {t.account.factorEnds}</p>
      <ProofFields proof={proof} onProof={setProof} fault={entry.fault} takesRecovery />
    </Form>
  );
}
