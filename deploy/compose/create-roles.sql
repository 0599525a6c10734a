-- Runs once, when the PostgreSQL image creates its data, or by hand for another server. `ringproof migrate` creates the tables and
-- grants the rights. Every process has its own login, a member of exactly the groups of its --roles; those whose password is not
-- in the environment are not created.
\getenv owner_password DATABASE_OWNER_PASSWORD
CREATE ROLE ringproof_owner LOGIN PASSWORD :'owner_password';
CREATE ROLE ringproof_api NOLOGIN;
CREATE ROLE ringproof_calls NOLOGIN;
CREATE ROLE ringproof_webhooks NOLOGIN;
CREATE ROLE ringproof_keeper NOLOGIN;
CREATE ROLE ringproof_web NOLOGIN;
CREATE ROLE ringproof_operator NOLOGIN;
CREATE DATABASE ringproof OWNER ringproof_owner;
REVOKE ALL ON DATABASE ringproof FROM PUBLIC;
GRANT CONNECT ON DATABASE ringproof
  TO ringproof_api, ringproof_calls, ringproof_webhooks, ringproof_keeper, ringproof_web, ringproof_operator;

-- One process with all roles: ringproof.service of the Debian package.
\getenv password DATABASE_APP_PASSWORD
\if :{?password}
CREATE ROLE ringproof_app LOGIN PASSWORD :'password' IN ROLE ringproof_api, ringproof_calls, ringproof_webhooks, ringproof_keeper, ringproof_web;
\unset password
\endif

-- Separate processes: compose.yaml, the chart, ringproof@.service.
\getenv password DATABASE_API_WEB_PASSWORD
\if :{?password}
CREATE ROLE ringproof_api_web_login LOGIN PASSWORD :'password' IN ROLE ringproof_api, ringproof_web;
\unset password
\endif
\getenv password DATABASE_WEBHOOKS_KEEPER_PASSWORD
\if :{?password}
CREATE ROLE ringproof_webhooks_keeper_login LOGIN PASSWORD :'password' IN ROLE ringproof_webhooks, ringproof_keeper;
\unset password
\endif
\getenv password DATABASE_CALLS_KEEPER_PASSWORD
\if :{?password}
CREATE ROLE ringproof_calls_keeper_login LOGIN PASSWORD :'password' IN ROLE ringproof_calls, ringproof_keeper;
\unset password
\endif
\getenv password DATABASE_CALLS_PASSWORD
\if :{?password}
CREATE ROLE ringproof_calls_login LOGIN PASSWORD :'password' IN ROLE ringproof_calls;
\unset password
\endif
\getenv password DATABASE_WEBHOOKS_PASSWORD
\if :{?password}
CREATE ROLE ringproof_webhooks_login LOGIN PASSWORD :'password' IN ROLE ringproof_webhooks;
\unset password
\endif
\getenv password DATABASE_KEEPER_PASSWORD
\if :{?password}
CREATE ROLE ringproof_keeper_login LOGIN PASSWORD :'password' IN ROLE ringproof_keeper;
\unset password
\endif

-- The command line. No process has this login.
\getenv password DATABASE_CLI_PASSWORD
\if :{?password}
CREATE ROLE ringproof_cli LOGIN PASSWORD :'password' IN ROLE ringproof_operator;
\unset password
\endif
