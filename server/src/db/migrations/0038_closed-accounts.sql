-- Closed by its owner: nothing can be changed any more, and everything can still be read.
ALTER TABLE accounts ADD COLUMN closed_at timestamptz;
