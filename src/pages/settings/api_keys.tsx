/** @jsxImportSource hono/jsx/dom */
/** A member's own API keys. */
import { useState } from "hono/jsx/dom";
import { CopyButton } from "../shared/copy_button.tsx";
import { t } from "../shared/language.ts";
import { Pages, usePaged } from "../shared/paged.tsx";
import { me, venue } from "../shared/session.ts";
import { useShown } from "../shared/shown.ts";
import { type Column, Table } from "../shared/table.tsx";
import { Group, type View } from "../shared/view.ts";
import { When } from "../shared/when.tsx";
import { ChangeKey, CreateKey, DeleteKey } from "./key_dialogs.tsx";
import type { Key } from "./key_fields.tsx";

const SIZE = 25;

type Open =
  | { readonly kind: "create" }
  | { readonly kind: "change" | "delete"; readonly key: Key };

/** The list of keys, with its dialogs. */
export function ApiKeys(): View {
  const hasFactor = useShown(me)?.otp === true;
  const [open, setOpen] = useState<Open | null>(null);
  const list = usePaged(
    "keys",
    SIZE,
    (page) => venue.get("/api/v2/auth/resource/api_keys", { query: { page, limit: SIZE } }),
  );
  const close = () => setOpen(null);
  const done = () => {
    close();
    list.reload();
  };
  return (
    <section class="sheet" aria-labelledby="keys">
      <div class="head">
        <h2 id="keys">{t.account.keys}</h2>
        <button type="button" disabled={!hasFactor} onClick={() => setOpen({ kind: "create" })}>
          {t.account.newKey}
        </button>
      </div>
      {hasFactor ? null : (
        <p class="note warn">
          {t.account.keysNeedFactor} <a href="/account?tab=security">{t.account.turnOn}</a>
        </p>
      )}
      <p class="soft">
        {t.account.keysWhat} <a href="/docs">{t.account.reference}</a>
      </p>
      <Pages list={list} label={t.account.keys}>
        {(keys) => (
          <Table
            caption={t.account.keys}
            columns={columnsOf(setOpen)}
            rows={keys}
            keyOf={({ kid }) => kid}
            empty={t.account.noKeys}
          />
        )}
      </Pages>
      {open?.kind === "create" ? <CreateKey onClose={close} onCreated={list.reload} /> : null}
      {open?.kind === "change" ? <ChangeKey of={open.key} onClose={close} onDone={done} /> : null}
      {open?.kind === "delete" ? <DeleteKey of={open.key} onClose={close} onDone={done} /> : null}
    </section>
  );
}

function columnsOf(onOpen: (open: Open) => void): readonly Column<Key>[] {
  return [
    {
      title: t.account.accessKey,
      show: ({ kid }) => (
        <span class="actions">
          <code class="figures cut">{kid}</code>
          <CopyButton text={kid} label={`${t.account.copyKey}: ${kid}`} />
        </span>
      ),
    },
    {
      title: t.account.mayDo,
      isWide: true,
      show: ({ scope }) => scope.map((one) => t.account.scopes[one]).join(", "),
    },
    {
      title: t.account.ipList,
      isWide: true,
      show: ({ ip_allow_list: addresses }) =>
        addresses.length === 0
          ? <span class="soft">{t.account.anywhere}</span>
          : <span class="figures cut" title={addresses.join("\n")}>{addresses.join(", ")}</span>,
    },
    {
      title: t.wallet.state,
      show: ({ state }) => (
        <span class={state === "active" ? "state good" : "state bad"}>
          {t.account.keyStates[state]}
        </span>
      ),
    },
    {
      title: t.account.createdAt,
      isWide: true,
      show: ({ created_at: at }) => <When at={at} />,
    },
    {
      title: t.wallet.actions,
      isUntitled: true,
      isFigure: true,
      show: (key) => <Actions of={key} onOpen={onOpen} />,
    },
  ];
}

function Actions({ of, onOpen }: {
  readonly of: Key;
  readonly onOpen: (open: Open) => void;
}): View {
  return (
    <Group>
      <span class="actions">
        <button
          type="button"
          class="quiet small"
          aria-label={t.account.changeKey(of.kid)}
          onClick={() => onOpen({ kind: "change", key: of })}
        >
          {t.account.change}
        </button>
        <button
          type="button"
          class="quiet small"
          aria-label={t.account.deleteKey(of.kid)}
          onClick={() => onOpen({ kind: "delete", key: of })}
        >
          {t.wallet.delete}
        </button>
      </span>
    </Group>
  );
}
