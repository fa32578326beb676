/** @jsxImportSource hono/jsx/dom */
/** Stops and opens trading and withdrawals of the whole venue. */
import type { Records } from "../../../client/client.ts";
import { o } from "./operate_texts.ts";
import { venue } from "../../shared/session.ts";
import type { View } from "../../shared/view.ts";
import { type Act, reasonPart } from "./act.ts";
import { ActButtons } from "./act_button.tsx";

/** The buttons, as the switches are now. */
export function SwitchButtons({ now }: { readonly now: Records["Switches"] }): View {
  return (
    <ActButtons
      acts={[switchAct("trading", now.trading), switchAct("withdrawals", now.withdrawals)]}
    />
  );
}

function switchAct(name: keyof Records["Switches"], isOn: boolean): Act {
  const words = o.switches[name];
  return {
    operation: "setSwitches",
    word: isOn ? words.stop : words.open,
    title: isOn ? words.stop : words.open,
    isDanger: isOn,
    says: () => isOn ? words.stopSays : words.openSays,
    send: async ({ reason }) => {
      await venue.patch("/api/v2/admin/switches", {
        body: { [name]: !isOn, ...reasonPart(reason) },
      });
    },
  };
}
