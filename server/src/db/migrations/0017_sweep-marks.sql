-- What keepers do: end what is overdue (sweep_calls, sweep_inbound_requests), and housekeeping. Each function is one statement and so
-- one transaction that commits without its client: a keeper that is frozen or gone holds no lock.

-- Every verification below from_id is over, so a sweep reads from there on. next_id is the next candidate: ids below it were
-- drawn by transactions older than next_xid, and once all of those have ended no more of them can appear.
CREATE TABLE sweep_marks (
  is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  from_id bigint NOT NULL DEFAULT 0,
  next_id bigint NOT NULL DEFAULT 0,
  next_xid xid8 NOT NULL DEFAULT '0'
) WITH (fillfactor = 10);

INSERT INTO sweep_marks DEFAULT VALUES;
