-- By how many seconds the clock is ahead of the newest mark or ID; negative when it is behind.
CREATE OR REPLACE FUNCTION clock_lead() RETURNS bigint
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  SELECT floor(extract(epoch FROM clock_timestamp()))::bigint - public.id_epoch() - greatest(mark.second, ticks.last_value >> 17)
  FROM public.clock_mark AS mark, public.id_ticks AS ticks
$$;

-- A lead of more than a day is a wrong clock, or a database without a keeper for that long: no ID is made and nothing old is
-- deleted until an operator has confirmed the clock. An ID from the future can never be taken back.
CREATE OR REPLACE FUNCTION is_clock_trusted() RETURNS boolean
LANGUAGE sql VOLATILE SET search_path = public, pg_temp
AS 'SELECT clock_lead() <= 86400';

-- Also sets the mark back when a wrong clock was confirmed before; IDs stay where they are.
CREATE OR REPLACE FUNCTION confirm_clock() RETURNS void
LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
  UPDATE public.clock_mark SET second = floor(extract(epoch FROM clock_timestamp()))::bigint - public.id_epoch()
$$;
