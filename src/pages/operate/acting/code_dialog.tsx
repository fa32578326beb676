/** @jsxImportSource hono/jsx/dom */
/** Asks for a fresh code, above whatever the page shows. */
import { useState } from "hono/jsx/dom";
import { faultAt, faultElsewhere, useAction } from "../../shared/action.ts";
import { Dialog } from "../../shared/dialog.tsx";
import { TextField } from "../../shared/field.tsx";
import { t } from "../../shared/language.ts";
import { o } from "./operate_texts.ts";
import { useShown } from "../../shared/shown.ts";
import type { View } from "../../shared/view.ts";
import { asking, confirmCode } from "./fresh_code.ts";

/** The dialog, while a call waits for a code. */
export function CodeDialog(): View | null {
  const asked = useShown(asking);
  return asked === null ? null : <Code onGiveUp={asked.giveUp} />;
}

function Code({ onGiveUp }: { readonly onGiveUp: () => void }): View {
  const [code, setCode] = useState("");
  const confirming = useAction(async () => await confirmCode(code.replaceAll(/\s/g, "")), {
    "resource.otp.invalid": "code",
    "resource.otp.missing_code": "code",
    "resource.otp.invalid_code": "code",
  });
  const elsewhere = faultElsewhere(confirming.fault, "code");
  return (
    <Dialog
      title={o.code.title}
      close={t.shell.close}
      onClose={onGiveUp}
      isKept={confirming.isBusy}
    >
      <form
        class="form"
        onSubmit={(event: Event) => {
          event.preventDefault();
          void confirming.run();
        }}
      >
        <p class="soft">{o.code.why}</p>
        <TextField
          label={o.code.code}
          hint={o.code.hint}
          value={code}
          onText={setCode}
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={12}
          isFigure
          hasFocus
          fault={faultAt(confirming.fault, "code")}
        />
        {elsewhere === undefined ? null : <p class="note bad" role="alert">{elsewhere}</p>}
        <div class="row">
          <button type="submit" disabled={confirming.isBusy || code === ""}>
            {o.code.confirm}
          </button>
          <button type="button" class="quiet" disabled={confirming.isBusy} onClick={onGiveUp}>
            {t.shell.cancel}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
