/** @jsxImportSource hono/jsx/dom */
/** The dialogs about API keys: a new one, its terms, its state and its end. */
import { useState } from "hono/jsx/dom";
import type { Records } from "../../client/client.ts";
import { useAction } from "../shared/action.ts";
import { CopyButton } from "../shared/copy_button.tsx";
import { Dialog } from "../shared/dialog.tsx";
import { Field } from "../shared/field.tsx";
import { Form } from "../shared/form.tsx";
import { t } from "../shared/language.ts";
import { venue } from "../shared/session.ts";
import { Group, type View } from "../shared/view.ts";
import { addressesIn } from "./address_list.ts";
import { isComplete, type Key, KeyFields, type KeyTerms } from "./key_fields.tsx";
import { isProven, NO_PROOF, PROOF_FAULTS, PROOF_FIELDS, ProofFields } from "./proof.tsx";

const FIELDS = [...PROOF_FIELDS, "scope", "scopes", "ip_allow_list"];
const FAULTS = {
  ...PROOF_FAULTS,
  "resource.api_key.invalid_ip_allow_list": "ip_allow_list",
  "resource.api_key.missing_ip_allow_list": "ip_allow_list",
};
const PATH = "/api/v2/auth/resource/api_keys/{kid}";

type NonceMode = Key["nonce_mode"];

interface CreateProps {
  readonly onClose: () => void;
  /** When the list has another key. */
  readonly onCreated: () => void;
}

/** A new key, whose secret is shown once. */
export function CreateKey({ onClose, onCreated }: CreateProps): View {
  const [terms, setTerms] = useState<KeyTerms>({ scopes: ["read", "trade"], addresses: "" });
  const [mode, setMode] = useState<NonceMode>("single");
  const [proof, setProof] = useState(NO_PROOF);
  const [made, setMade] = useState<Records["CreatedOwnApiKey"] | null>(null);
  const entry = useAction(async () => {
    const key = await venue.post("/api/v2/auth/resource/api_keys", {
      body: {
        scopes: [...terms.scopes],
        ip_allow_list: addressesIn(terms.addresses),
        nonce_mode: mode,
        totp_code: proof.code.trim(),
        password: proof.password,
      },
    });
    setMade(key);
    onCreated();
  }, FAULTS);
  if (made !== null) return <Secret made={made} onClose={onClose} />;
  return (
    <Dialog title={t.account.newKey} close={t.shell.close} onClose={onClose}>
      <Form
        label={t.account.newKey}
        submit={t.account.createKey}
        onSubmit={() => void entry.run()}
        isBusy={entry.isBusy}
        isDisabled={!isComplete(terms) || !isProven(proof)}
        fault={entry.fault}
        fields={FIELDS}
      >
        <KeyFields terms={terms} onTerms={setTerms} fault={entry.fault} />
        <NonceModes mode={mode} onMode={setMode} />
        <ProofFields proof={proof} onProof={setProof} fault={entry.fault} />
      </Form>
    </Dialog>
  );
}

function NonceModes({ mode, onMode }: {
  readonly mode: NonceMode;
  readonly onMode: (mode: NonceMode) => void;
}): View {
  return (
    <Field
      label={t.account.nonceMode}
      control={(own) => (
        <select
          {...own}
          onChange={(event: Event) =>
            onMode((event.currentTarget as HTMLSelectElement).value as NonceMode)}
        >
          {(["single", "request"] as const).map((name) => (
            <option key={name} value={name} selected={name === mode}>
              {t.account.nonceModes[name]}
            </option>
          ))}
        </select>
      )}
    />
  );
}

/** The secret, which nobody sees again: the dialog stays until it is kept. */
function Secret({ made: { kid, secret }, onClose }: {
  readonly made: Records["CreatedOwnApiKey"];
  readonly onClose: () => void;
}): View {
  return (
    <Dialog title={t.account.keyMade} close={t.shell.close} onClose={onClose} isKept>
      <div class="form">
        <p class="note warn">{t.account.secretOnce}</p>
        <Shown label={t.account.accessKey} text={kid} copy={t.account.copyKey} />
        <Shown label={t.account.keySecret} text={secret} copy={t.account.copyKeySecret} />
        <div class="row">
          <button type="button" onClick={onClose}>{t.account.secretKept}</button>
        </div>
      </div>
    </Dialog>
  );
}

function Shown({ label, text, copy }: {
  readonly label: string;
  readonly text: string;
  readonly copy: string;
}): View {
  return (
    <Field
      label={label}
      control={({ id }) => (
        <span class="row">
          <output id={id} class="figures breaking">{text}</output>
          <CopyButton text={text} label={copy} />
        </span>
      )}
    />
  );
}

interface AboutProps {
  readonly of: Key;
  readonly onClose: () => void;
  readonly onDone: () => void;
}

/** Other scopes and addresses, or another state. */
export function ChangeKey({ of, onClose, onDone }: AboutProps): View {
  const [terms, setTerms] = useState<KeyTerms>({
    scopes: of.scope,
    addresses: of.ip_allow_list.join("\n"),
  });
  const [isActive, setIsActive] = useState(of.state === "active");
  const [proof, setProof] = useState(NO_PROOF);
  const entry = useAction(async () => {
    await venue.patch(PATH, {
      path: { kid: of.kid },
      body: {
        scopes: [...terms.scopes],
        ip_allow_list: addressesIn(terms.addresses),
        state: isActive ? "active" : "disabled",
        totp_code: proof.code.trim(),
        password: proof.password,
      },
    });
    onDone();
  }, FAULTS);
  return (
    <Dialog title={t.account.changeKey(of.kid)} close={t.shell.close} onClose={onClose}>
      <Form
        label={t.account.changeKey(of.kid)}
        submit={t.account.save}
        onSubmit={() => void entry.run()}
        isBusy={entry.isBusy}
        isDisabled={!isComplete(terms) || !isProven(proof)}
        fault={entry.fault}
        fields={FIELDS}
      >
        <label class="check">
          <input type="checkbox" checked={isActive} onChange={() => setIsActive(!isActive)} />
          {t.account.keyIsActive}
        </label>
        <KeyFields terms={terms} onTerms={setTerms} fault={entry.fault} />
        <ProofFields proof={proof} onProof={setProof} fault={entry.fault} />
      </Form>
    </Dialog>
  );
}

/** The end of a key. */
export function DeleteKey({ of: { kid }, onClose, onDone }: AboutProps): View {
  const [proof, setProof] = useState(NO_PROOF);
  const entry = useAction(async () => {
    const body = { totp_code: proof.code.trim(), password: proof.password };
    await venue.delete(PATH, { path: { kid }, body });
    onDone();
  }, FAULTS);
  return (
    <Dialog title={t.account.deleteKey(kid)} close={t.shell.close} onClose={onClose}>
      <Form
        label={t.account.deleteKey(kid)}
        submit={t.wallet.delete}
        kind="danger"
        onSubmit={() => void entry.run()}
        isBusy={entry.isBusy}
        isDisabled={!isProven(proof)}
        fault={entry.fault}
        fields={PROOF_FIELDS}
      >
        <Group>
          <p>{t.account.deleteKeyMeans}</p>
          <ProofFields proof={proof} onProof={setProof} fault={entry.fault} />
        </Group>
      </Form>
    </Dialog>
  );
}
