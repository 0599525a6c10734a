-- The dashboard lists the webhooks of an account's services, newest first.
CREATE INDEX webhooks_service ON webhooks (service_id, id);
