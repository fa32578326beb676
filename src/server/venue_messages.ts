/** The messenger of a process, chosen by its settings. */
import { type MailFigures, NO_MAIL } from "../edge/figures.ts";
import type { Config } from "./config.ts";
import type { Engine } from "../engine/engine.ts";
import type { Logger } from "./logger.ts";
import { type Messenger, NoMessenger } from "../messages/messenger.ts";
import { Outbox } from "../messages/outbox.ts";
import { SmtpMessenger } from "../messages/smtp_messenger.ts";

/** The messenger, and where the demo's messages can be read. */
export interface VenueMessages {
  readonly messenger: Messenger;
  /** Null except in the demo: its rows hold codes. */
  readonly outbox: Outbox | null;
  readonly mail: () => MailFigures;
}

/** Creates the messenger: it prints in the demo, and mails elsewhere if there is a mail server. */
export function createMessages(
  { isDemo, mail }: Pick<Config, "isDemo" | "mail">,
  engine: Engine,
  logger: Logger,
  print: (lines: readonly string[]) => void,
): VenueMessages {
  if (isDemo) {
    const outbox = new Outbox(engine, print);
    return { messenger: outbox, outbox, mail: () => NO_MAIL };
  }
  if (mail === null) {
    logger.warn("messages_off", { reason: "SMTP_URL is not set: codes and pins cannot be sent" });
    return { messenger: new NoMessenger(), outbox: null, mail: () => NO_MAIL };
  }
  const onFailure = (failure: object) => logger.warn("message_not_sent", { ...failure });
  const onLost = (lost: object) => logger.warn("messages_lost", { ...lost });
  const messenger = new SmtpMessenger({ ...mail, onFailure, onLost });
  return { messenger, outbox: null, mail: () => messenger.figures() };
}
