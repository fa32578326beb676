-- A plain venue: each order is one transaction, and one round trip.

create table api_keys (
  kid text primary key,
  secret text not null,
  member integer not null
);

create table nonces (
  member integer not null,
  nonce bigint not null,
  primary key (member, nonce)
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
  id bigserial primary key,
  market smallint not null,
  member integer not null,
  is_buy boolean not null,
  price numeric not null,
  amount numeric not null,
  remaining numeric not null,
  state text not null,
  created_at timestamptz not null default clock_timestamp()
) with (fillfactor = 90);

create index orders_by_member on orders (member, id);
create index asks on orders (market, price, id) where state = 'wait' and not is_buy;
create index bids on orders (market, price desc, id) where state = 'wait' and is_buy;

create table trades (
  id bigserial primary key,
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
  created_at timestamptz not null default clock_timestamp()
);

-- Moves base to the buyer and quote to the seller, less the fees. The rows of the accounts are
-- already locked.
create function settle(
  venue markets, buyer integer, seller integer, buy_order bigint, sell_order bigint,
  buy_price numeric, fill_price numeric, fill numeric
) returns void language plpgsql as $$
declare
  total numeric := fill_price * fill;
  buyer_fee numeric := fill * venue.fee_rate;
  seller_fee numeric := total * venue.fee_rate;
begin
  update accounts set locked = locked - buy_price * fill,
      available = available + (buy_price - fill_price) * fill
    where member = buyer and currency = venue.quote;
  update accounts set available = available + fill - buyer_fee
    where member = buyer and currency = venue.base;
  update accounts set locked = locked - fill
    where member = seller and currency = venue.base;
  update accounts set available = available + total - seller_fee
    where member = seller and currency = venue.quote;
  insert into trades
      (market, price, amount, total, buy_order, sell_order, buyer, seller, buyer_fee, seller_fee)
    values (venue.id, fill_price, fill, total, buy_order, sell_order, buyer, seller,
      buyer_fee, seller_fee);
end $$;

-- Places a limit order: spends the nonce, locks as many of the other side's best orders as needed,
-- then the accounts, in a fixed order to avoid deadlocks; matches, settles and returns the order.
-- An order that trades holds its market exclusively until its commit is durable. In a strict venue
-- every order does: otherwise two concurrent orders that should match do not see each other, and
-- leave the book crossed.
create function place_order(
  by_member integer, by_nonce bigint, market_code text, buys boolean,
  limit_price numeric, volume numeric, is_strict boolean
) returns orders language plpgsql as $$
declare
  venue markets;
  placed orders;
  makers orders[] := '{}';
  maker orders;
  fill numeric;
  wanted numeric := volume;
  trades boolean;
  is_own boolean := false;
  needed numeric := case when buys then limit_price * volume else volume end;
begin
  select * into venue from markets where code = market_code;
  if not found then raise exception 'market_doesnt_exist'; end if;

  insert into nonces (member, nonce) values (by_member, by_nonce) on conflict do nothing;
  if not found then raise exception 'nonce_already_used'; end if;

  if is_strict then
    trades := true;
  elsif buys then
    trades := exists (select from orders
      where market = venue.id and state = 'wait' and not is_buy and price <= limit_price);
  else
    trades := exists (select from orders
      where market = venue.id and state = 'wait' and is_buy and price >= limit_price);
  end if;
  if trades then perform pg_advisory_xact_lock(venue.id); end if;

  while trades and wanted > 0 loop
    if buys then
      select * into maker from orders
        where market = venue.id and state = 'wait' and not is_buy and price <= limit_price
        order by price, id limit 1 for update;
    else
      select * into maker from orders
        where market = venue.id and state = 'wait' and is_buy and price >= limit_price
        order by price desc, id limit 1 for update;
    end if;
    exit when not found;
    is_own := maker.member = by_member;
    exit when is_own;
    fill := least(wanted, maker.remaining);
    wanted := wanted - fill;
    makers := makers || maker;
    update orders set remaining = remaining - fill,
        state = case when remaining = fill then 'done' else 'wait' end
      where id = maker.id;
  end loop;

  if cardinality(makers) > 0 then
    perform from accounts
      where currency in (venue.base, venue.quote)
        and member = any (array(select (unnest(makers)).member) || by_member)
      order by id for update;
  end if;

  update accounts set available = available - needed, locked = locked + needed
    where member = by_member and available >= needed
      and currency = case when buys then venue.quote else venue.base end;
  if not found then raise exception 'insufficient_balance'; end if;

  insert into orders (market, member, is_buy, price, amount, remaining, state)
    values (venue.id, by_member, buys, limit_price, volume, wanted,
      case when wanted = 0 then 'done' when is_own then 'cancel' else 'wait' end)
    returning * into placed;

  wanted := volume;
  foreach maker in array makers loop
    fill := least(wanted, maker.remaining);
    wanted := wanted - fill;
    if buys then
      perform settle(venue, by_member, maker.member, placed.id, maker.id,
        limit_price, maker.price, fill);
    else
      perform settle(venue, maker.member, by_member, maker.id, placed.id,
        maker.price, maker.price, fill);
    end if;
  end loop;

  -- Self-trades are prevented by cancelling the newer order.
  if is_own then
    needed := case when buys then limit_price * wanted else wanted end;
    update accounts set available = available + needed, locked = locked - needed
      where member = by_member
        and currency = case when buys then venue.quote else venue.base end;
  end if;
  return placed;
end $$;
