// Black on white in every theme: it is made to be printed on a sheet of A4.
export const paperStyle = `
@page { size: A4; margin: 18mm 16mm; }
* { box-sizing: border-box; }
html { background: #e9e6df; }
body { margin: 24px auto; max-width: 800px; padding: 48px 56px; background: #fff; color: #111;
  font: 14px/1.5 "Segoe UI", Roboto, Arial, sans-serif; }
h1 { font-size: 22px; line-height: 1.25; margin: 28px 0 20px; }
p { margin: 0 0 8px; }
table { width: 100%; border-collapse: collapse; margin: 0 0 16px; }
th, td { border: 1px solid #777; padding: 6px 10px; text-align: left; vertical-align: top; font-weight: 400;
  overflow-wrap: anywhere; }
thead th { font-weight: 600; background: #f4f2ed; }
.sum { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
tfoot td { font-weight: 600; }
dl { display: grid; grid-template-columns: 150px minmax(0, 1fr); gap: 6px 16px; margin: 0 0 20px; }
dt { color: #555; }
dd { margin: 0; overflow-wrap: anywhere; }
.signs { display: grid; grid-template-columns: 1fr 1fr; gap: 40px; margin-top: 48px; }
.signs p { border-top: 1px solid #111; padding-top: 6px; margin-top: 44px; }
.hint { color: #555; font-size: 12px; margin: 0 0 18px; }
@media (max-width: 640px) {
  body { margin: 0; padding: 24px 18px; }
  dl { grid-template-columns: minmax(0, 1fr); gap: 0 0; }
  dd { margin-bottom: 8px; }
  th, td { padding: 6px; }
  .signs { grid-template-columns: minmax(0, 1fr); gap: 0; }
}
@media print {
  html, body { background: none; }
  body { margin: 0; padding: 0; max-width: none; }
  thead th { background: none; }
  .hint { display: none; }
}
`
