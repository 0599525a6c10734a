-- Listening to webhooks is a separate right. Test services have it from the start.
ALTER TABLE api_keys DROP CONSTRAINT api_keys_scopes_check;
ALTER TABLE api_keys ADD CONSTRAINT api_keys_scopes_check CHECK (scopes <@ '{start,read,listen}' AND cardinality(scopes) > 0);
UPDATE api_keys AS key SET scopes = scopes || '{listen}'
FROM services AS service WHERE service.id = key.service_id AND service.is_test AND 'read' = ANY (scopes);
