-- Flash calls to a provider are placed in another mode: provider=mode.
ALTER TABLE services ADD COLUMN provider_modes text[] NOT NULL DEFAULT '{}';
