/** @jsxImportSource hono/jsx/dom */
/** An act as a question: what is filled in, what will happen, and why it is done. */
import { useRef, useState } from "hono/jsx/dom";
import { type Action, faultAt, faultElsewhere, useAction } from "../../shared/action.ts";
import { Dialog } from "../../shared/dialog.tsx";
import { TextField } from "../../shared/field.tsx";
import { t } from "../../shared/language.ts";
import { o } from "./operate_texts.ts";
import { useShown } from "../../shared/shown.ts";
import { Group, type View } from "../../shared/view.ts";
import { type Act, askedFields, type Values } from "./act.ts";
import { ActFields } from "./act_fields.tsx";
import { CallNames } from "./call_names.ts";
import { NoCodeError, withFreshCode } from "./fresh_code.ts";
import { news, opened } from "./operator.ts";
import { acts } from "./reading.ts";

/** The dialog of the act that has been chosen. */
export function OpenedAct(): View | null {
  const act = useShown(opened);
  return act === null ? null : <ActDialog act={act} onClose={() => opened.set(null)} />;
}

interface ActDialogProps {
  readonly act: Act;
  readonly onClose: () => void;
}

/** The dialog of an act; it closes when that is done, unless there is something to show of it. */
function ActDialog({ act, onClose }: ActDialogProps): View {
  const [values, setValues] = useState<Values>(act.begin ?? {});
  const [reason, setReason] = useState("");
  const [shown, setShown] = useState<string | null>(null);
  const doing = useDoing(act, (answer) => answer === undefined ? onClose() : setShown(answer));
  if (shown !== null) return <Made title={act.title} text={shown} onClose={onClose} />;
  const fields = askedFields(act, values);
  return (
    <Dialog title={act.title} close={t.shell.close} onClose={onClose} isKept={doing.isBusy}>
      <form
        class="act"
        onSubmit={(event: Event) => {
          event.preventDefault();
          void doing.run(values, reason.trim());
        }}
      >
        {fields.length === 0 ? null : (
          <ActFields
            fields={fields}
            values={values}
            onChange={(name, value) => setValues((before) => ({ ...before, [name]: value }))}
            faultOf={(name) => faultAt(doing.fault, name)}
          />
        )}
        {act.hasNoReason === true ? null : (
          <TextField
            label={act.isReasonNeeded === true ? o.reason : o.reasonOptional}
            name="reason"
            hint={act.isReasonNeeded === true ? o.reasonHint : undefined}
            value={reason}
            onText={setReason}
            hasFocus={fields.length === 0}
            maxLength={500}
            fault={faultAt(doing.fault, "reason")}
          />
        )}
        <Ending act={act} values={values} reason={reason} doing={doing} onClose={onClose} />
      </form>
    </Dialog>
  );
}

type Doing = Action<[values: Values, reason: string]>;

/** Sends an act, asking for a fresh code if need be; what it returns is shown. */
function useDoing(act: Act, onDone: (answer: string | undefined) => void): Doing {
  const names = useRef(new CallNames());
  return useAction(
    async (values: Values, reason: string) => {
      const calls = names.current ?? new CallNames();
      const key = calls.nameOf([values, reason]);
      try {
        const answer = await withFreshCode(() => act.send({ values, reason, key }));
        news.set(o.done(act.title));
        acts.set(acts.value + 1);
        onDone(answer ?? undefined);
      } catch (error) {
        if (!(error instanceof NoCodeError)) throw calls.faultOf(key, error);
      }
    },
    {},
    act.refusals,
  );
}

/** What will happen, what is wrong, and the buttons. */
function Ending({ act, values, reason, doing, onClose }: ActDialogProps & {
  readonly values: Values;
  readonly reason: string;
  readonly doing: Doing;
}): View {
  const says = act.says(values);
  const names = [
    ...askedFields(act, values).map(({ name }) => name),
    ...(act.hasNoReason === true ? [] : ["reason"]),
  ];
  const elsewhere = faultElsewhere(doing.fault, ...names);
  const lacksReason = act.isReasonNeeded === true && reason.trim() === "";
  return (
    <div class="ending">
      <p class={act.isDanger === true ? "note warn says" : "note says"} aria-live="polite">
        {says === "" ? o.nothingChanges : says}
      </p>
      {elsewhere === undefined ? null : <p class="note bad" role="alert">{elsewhere}</p>}
      <div class="row">
        <button
          type="submit"
          class={act.isDanger === true ? "danger" : undefined}
          disabled={doing.isBusy || says === "" || lacksReason}
        >
          {doing.isBusy ? o.doing : act.word}
        </button>
        <button type="button" class="quiet" disabled={doing.isBusy} onClick={onClose}>
          {t.shell.cancel}
        </button>
      </div>
    </div>
  );
}

function Made({ title, text, onClose }: {
  readonly title: string;
  readonly text: string;
  readonly onClose: () => void;
}): View {
  return (
    <Dialog title={title} close={t.shell.close} onClose={onClose}>
      <Group>
        <p class="note good says">{text}</p>
        <button type="button" onClick={onClose}>{t.shell.close}</button>
      </Group>
    </Dialog>
  );
}
