-- Raised when a person signs out everywhere: browsers that signed in before are strangers again.
ALTER TABLE users ADD COLUMN browser_generation integer NOT NULL DEFAULT 0;
