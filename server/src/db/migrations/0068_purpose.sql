-- What the installation is for; the global database has it. Where there are prices, calls are sold.
ALTER TABLE installation ADD COLUMN purpose text NOT NULL DEFAULT 'own' CHECK (purpose IN ('own', 'provider'));
UPDATE installation SET purpose = 'provider' WHERE EXISTS (SELECT FROM tariff_prices);
