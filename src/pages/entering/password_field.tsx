/** @jsxImportSource hono/jsx/dom */
/** Passwords: typed in, shown on request, and rated by the venue. */
import { useEffect, useState } from "hono/jsx/dom";
import { Field } from "../shared/field.tsx";
import { t } from "../shared/language.ts";
import { venue } from "../shared/session.ts";
import type { View } from "../shared/view.ts";

/** How long a password stays as it is before it is rated, in ms. */
const RATED_AFTER_MS = 250;

interface PasswordFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onText: (text: string) => void;
  readonly fault?: string | undefined;
  readonly hint?: string;
  readonly name: string;
  /** Whether it is a new one, which browsers may suggest. */
  readonly isNew?: boolean;
}

/** A labelled password, with a button that shows it. */
export function PasswordField(props: PasswordFieldProps): View {
  const [isShown, setIsShown] = useState(false);
  return (
    <Field
      label={props.label}
      fault={props.fault}
      hint={props.hint}
      control={(own) => (
        <span class="with-button">
          <input
            {...own}
            type={isShown ? "text" : "password"}
            name={props.name}
            autocomplete={props.isNew === true ? "new-password" : "current-password"}
            spellcheck={false}
            maxlength={256}
            value={props.value}
            onInput={(event: Event) =>
              props.onText((event.currentTarget as HTMLInputElement).value)}
          />
          <button
            type="button"
            class="bare"
            aria-pressed={isShown ? "true" : "false"}
            aria-label={`${t.signIn.show}: ${props.label}`}
            onClick={() => setIsShown(!isShown)}
          >
            {isShown ? t.signIn.hide : t.signIn.show}
          </button>
        </span>
      )}
    />
  );
}

/** What the venue makes of a password; null while that is not known. */
interface Rating {
  readonly bits: number;
  readonly bitsMin: number;
}

/** How strong a new password is, by the venue's own measure. */
export function PasswordStrength({ password }: { readonly password: string }): View | null {
  const [rating, setRating] = useState<Rating | null>(null);
  useEffect(() => {
    if (password === "") {
      setRating(null);
      return;
    }
    const asked = new AbortController();
    const { signal } = asked;
    const timer = setTimeout(() => {
      // One that can't be rated is refused when it is sent, if it is too weak.
      rate(password, signal).then(setRating, () => setRating(null));
    }, RATED_AFTER_MS);
    return () => {
      clearTimeout(timer);
      asked.abort();
    };
  }, [password]);
  if (rating === null || password === "") return null;
  const { bits, bitsMin } = rating;
  const isEnough = bits >= bitsMin;
  const words = !isEnough ? t.signIn.weak : bits < bitsMin * 1.5 ? t.signIn.fair : t.signIn.strong;
  const share = Math.min(100, Math.round(bits / (bitsMin * 2) * 100));
  return (
    <div class="strength" aria-live="polite">
      <span class="bar" aria-hidden="true">
        <span class={isEnough ? "fill good" : "fill"} style={{ width: `${share}%` }} />
      </span>
      <span class={isEnough ? "hint" : "fault"}>{words}</span>
    </div>
  );
}

let settings: Promise<number> | null = null;

async function rate(password: string, signal: AbortSignal): Promise<Rating | null> {
  settings ??= venue.get("/api/v2/auth/identity/configs")
    .then(({ password_min_entropy: bits }) => bits);
  const rated = venue.post("/api/v2/auth/identity/password/validate", {
    body: { password },
    signal,
  });
  const [bitsMin, { entropy }] = await Promise.all([settings, rated]);
  return signal.aborted ? null : { bits: entropy, bitsMin };
}
