-- Runs once, when the PostgreSQL image creates its data. `ringproof migrate` creates the tables and grants the rights.
\getenv owner_password DATABASE_OWNER_PASSWORD
\getenv app_password DATABASE_PASSWORD
CREATE ROLE ringproof_owner LOGIN PASSWORD :'owner_password';
CREATE ROLE ringproof_app LOGIN PASSWORD :'app_password';
CREATE ROLE ringproof_api NOLOGIN;
CREATE ROLE ringproof_calls NOLOGIN;
CREATE ROLE ringproof_webhooks NOLOGIN;
CREATE ROLE ringproof_keeper NOLOGIN;
CREATE ROLE ringproof_web NOLOGIN;
CREATE ROLE ringproof_operator NOLOGIN;
GRANT ringproof_api, ringproof_calls, ringproof_webhooks, ringproof_keeper, ringproof_web, ringproof_operator TO ringproof_app;
CREATE DATABASE ringproof OWNER ringproof_owner;
REVOKE ALL ON DATABASE ringproof FROM PUBLIC;
GRANT CONNECT ON DATABASE ringproof TO ringproof_app;
