-- Which modes a service may use.
ALTER TABLE services ADD COLUMN modes text[] NOT NULL DEFAULT '{flash,voice,mix,inbound}'
  CHECK (modes <@ '{flash,voice,mix,inbound}' AND cardinality(modes) > 0);
