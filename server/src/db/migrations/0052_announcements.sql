-- What operators announce to all customers. A row is never deleted: the console lists past ones. Used in the global database only.
CREATE TABLE announcements (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  severity text NOT NULL CHECK (severity IN ('info', 'degraded', 'outage', 'maintenance')),
  text_en text NOT NULL CHECK (length(text_en) BETWEEN 1 AND 300),
  text_ru text NOT NULL CHECK (length(text_ru) BETWEEN 1 AND 300),
  starts_at timestamptz NOT NULL,
  -- As planned; without one it lasts until an operator ends it.
  ends_at timestamptz CHECK (ends_at > starts_at),
  -- Ended early by an operator.
  ended_at timestamptz,
  -- Maintenance that stops all calls: when its stop began, so that its end lifts this stop and no later one.
  stop_began_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
