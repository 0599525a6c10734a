// The part of docs/operations/performance.md that `npm run bench -- steps` measures, which is not a part of the run that writes the page.

export const stepsSection = `## Small batches

What a batch costs, one call of it, in milliseconds of CPU of a PostgreSQL backend. \`npm run bench -- steps 3 1 16\`, medians of three rounds
with least and most, PostgreSQL 15.18 limited to one of two cores, at a load average of 16 to 32 from elsewhere: compare within a row, and
measure again. *9* and *39* are the partitions of a new database and of one that keeps 30 days. The floor is what the bare engine needs in the same
rounds: prepared statements over plain tables, an accept and an end with six rows for the whole, one update for a claim and for a ring.

| step | batch | 9 | 39 | 39 to 9 | floor | 39 to the floor |
|---|---|---|---|---|---|---|
| accept | 1 | 2.0 (1.6–2.5) | 1.7 (1.4–2.3) | 0.95 (0.71–1.1) | 0.56 (0.32–0.58) | 4.2 (2.5–5.1) |
| claim | 1 | 0.58 (0.57–0.98) | 0.83 (0.78–1.5) | 1.5 (1.4–1.5) | 0.39 (0.23–0.50) | 3.0 (2.0–3.7) |
| ring | 1 | 0.64 (0.49–0.70) | 0.62 (0.59–1.2) | 1.3 (0.92–1.7) | 0.42 (0.18–0.42) | 2.8 (1.4–3.4) |
| end | 1 | 1.2 (1.2–1.6) | 1.4 (1.1–2.7) | 1.2 (0.92–1.7) | 0.46 (0.17–0.55) | 5.0 (2.5–8.4) |
| **whole** | 1 | 4.5 (3.8–5.7) | 4.5 (3.9–7.7) | 1.18 (0.88–1.4) | 1.0 (0.49–1.1) | 7.0 (3.8–9.2); goal 6 |
| accept | 16 | 0.17 (0.16–0.17) | 0.18 (0.18–0.18) | 1.07 (1.0–1.1) | 0.046 (0.042–0.050) | 3.9 (3.6–4.4) |
| claim | 16 | 0.057 (0.055–0.068) | 0.098 (0.072–0.14) | 1.4 (1.3–2.5) | 0.018 (0.015–0.020) | 5.4 (4.8–7.0) |
| ring | 16 | 0.054 (0.036–0.056) | 0.082 (0.043–0.082) | 1.5 (1.2–1.5) | 0.017 (0.015–0.020) | 4.0 (2.8–4.9) |
| end | 16 | 0.12 (0.12–0.13) | 0.15 (0.13–0.21) | 1.2 (1.1–1.7) | 0.020 (0.019–0.025) | 6.9 (6.1–11) |
| **whole** | 16 | 0.40 (0.38–0.42) | 0.51 (0.43–0.61) | 1.21 (1.1–1.5) | 0.070 (0.061–0.071) | 7.2 (7.1–8.8); goal 4 |

The goal for 39 to 9 is 1.2. Before the plans of claims, rings and ends were pruned and kept, the same command measured 28 ms (27–29) for the
whole of one call with 39 partitions, 25 times its floor and 2.3 times the 12.4 ms with 9; for one of sixteen 2.3 ms (1.9–2.4), 20 times and
1.95 times. Of what is left, no profile was made. The scans are pruned, but PostgreSQL 15 locks and opens every partition that a kept plan of an
UPDATE names; and above the floor there are 7 statements in an accept, 2 in a claim and in a ring, and 5 in an end.

A million verifications with 39 partitions are 1.25 core-hours of PostgreSQL in batches of one, and 0.14 in batches of sixteen. Their WAL is 3.5 and
2.8 GB, and several times as much after a checkpoint, when whole pages are written: 16 to 18 kB each in the rounds of one above. They store 1.8 GB.
A sweep that finds nothing takes 1.4 ms with 9 and 1.7 ms with 39 partitions.
`
