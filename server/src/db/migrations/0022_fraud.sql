-- The kill switch: one row while all trunks are stopped, none otherwise. Used in the home slot's database only.
CREATE TABLE trunk_stops (
  is_one boolean PRIMARY KEY DEFAULT true CHECK (is_one),
  reason text NOT NULL,
  stopped_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
GRANT SELECT, INSERT, DELETE ON trunk_stops TO ringproof_app;
