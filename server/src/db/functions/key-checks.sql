-- The keys that this database is written with, as the process that starts first finds them. What is known stays as it is.
CREATE OR REPLACE FUNCTION record_key_rings(rings text[], numbers smallint[], digests bytea[], activated boolean[]) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp
AS $$
BEGIN
  -- Two processes with different new keys must not record half of each.
  LOCK TABLE key_checks IN SHARE ROW EXCLUSIVE MODE;
  INSERT INTO key_checks (ring, number, digest, activated_at)
  SELECT held.ring, held.number, held.digest, CASE WHEN held.is_activated THEN now() END
  FROM unnest(rings, numbers, digests, activated) AS held(ring, number, digest, is_activated)
  WHERE NOT EXISTS (SELECT FROM key_checks AS known WHERE known.ring = held.ring);
END
$$;

-- The first and the last value of each sealed column. A process that can open them has the keys of this database.
CREATE OR REPLACE FUNCTION sealed_samples() RETURNS TABLE (table_name text, column_name text, owner text, sealed bytea)
LANGUAGE plpgsql STABLE SECURITY DEFINER SET search_path = public, pg_temp
AS $$
DECLARE
  one record;
BEGIN
  -- As in db/core/sealed-column.ts.
  FOR one IN
    SELECT * FROM (VALUES
      ('services', 'webhook_secret_sealed', 'id', 'id'),
      ('services', 'webhook_secret_before_sealed', 'id', 'id'),
      ('verifications', 'person_sealed', 'id', 'service_id'),
      ('inbound_requests', 'callback_sealed', 'id', 'service_id'),
      ('webhooks', 'callback_sealed', 'id', 'service_id'),
      ('trunks', 'password_sealed', 'name', 'name'),
      ('fraud_hits', 'prefix_sealed', 'minute', 'service_id'),
      ('allowed_prefixes', 'prefix_sealed', 'ctid', 'scope'),
      ('users', 'totp_sealed', 'id', 'id'),
      ('notice_webhooks', 'url_sealed', 'account_id', 'account_id'),
      ('notice_webhooks', 'secret_sealed', 'account_id', 'account_id'),
      ('payment_settings', 'secret_sealed', 'id', 'id'),
      ('legal_details', 'details_sealed', 'id', 'id'),
      ('invoices', 'buyer_sealed', 'id', 'account_id')
    ) AS columns(of_table, of_column, key, of_owner)
  LOOP
    RETURN QUERY EXECUTE format(
      '(SELECT %1$L, %2$L, %4$I::text, %2$I FROM %1$I WHERE %2$I IS NOT NULL ORDER BY %3$I LIMIT 1) UNION
       (SELECT %1$L, %2$L, %4$I::text, %2$I FROM %1$I WHERE %2$I IS NOT NULL ORDER BY %3$I DESC LIMIT 1)',
      one.of_table, one.of_column, one.key, one.of_owner);
  END LOOP;
END
$$;

CREATE OR REPLACE FUNCTION has_verifications() RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp
AS $$ SELECT EXISTS (SELECT FROM verifications) $$;
