-- The tables of the expert venue. Books, balances and nonces are in memory while it runs, so that
-- the tables need only what makes them durable, what a start reads, and what members ask for.

create table api_keys (
  kid text primary key,
  secret text not null,
  member integer not null
);

create table markets (
  id smallint primary key,
  code text not null unique,
  base text not null,
  quote text not null,
  fee_rate numeric not null
);

-- Rows leave room for their next versions, so that changing a balance updates no index.
create table accounts (
  id serial primary key,
  member integer not null,
  currency text not null,
  available numeric not null check (available >= 0),
  locked numeric not null default 0 check (locked >= 0),
  unique (member, currency)
) with (fillfactor = 50);

create table orders (
  id bigint primary key,
  market smallint not null,
  member integer not null,
  is_buy boolean not null,
  price numeric not null,
  amount numeric not null,
  remaining numeric not null,
  state text not null,
  -- Spares a table of nonces: one is spent by each order.
  nonce bigint not null,
  created_at timestamptz not null
) with (fillfactor = 90);

create index orders_by_member on orders (member, id);

create table trades (
  id bigint primary key,
  market smallint not null,
  price numeric not null,
  amount numeric not null,
  total numeric not null,
  buy_order bigint not null,
  sell_order bigint not null,
  buyer integer not null,
  seller integer not null,
  -- Deducted from what each side receives: base for the buyer, quote for the seller.
  buyer_fee numeric not null,
  seller_fee numeric not null,
  created_at timestamptz not null
);
