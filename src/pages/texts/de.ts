/** What pages say, in German. */
import type { Texts } from "./en.ts";
import { ERRORS_DE } from "./errors_de.ts";

export const DE: Texts = {
  language: "Deutsch",
  shell: {
    trade: "Handel",
    wallet: "Guthaben",
    account: "Konto",
    operate: "Betrieb",
    docs: "API",
    signIn: "Anmelden",
    signUp: "Konto eröffnen",
    signOut: "Abmelden",
    theme: "Farben",
    dark: "Dunkel",
    light: "Hell",
    system: "Wie das System",
    languages: "Sprache",
    skip: "Zum Inhalt",
    menu: "Menü",
    needsScript: "Diese Seite braucht JavaScript.",
    charts: "Charts: TradingView Lightweight Charts™, copyright (c) 2025 TradingView, Inc.",
    notBuilt: "Die Seiten sind nicht gebaut.",
    howToBuild: "Dort ausführen, wo die Börse installiert ist, und sie neu starten:",
    loading: "Lädt …",
    copy: "Kopieren",
    copied: "Kopiert",
    close: "Schließen",
    cancel: "Abbrechen",
  },
  errors: ERRORS_DE,
};
