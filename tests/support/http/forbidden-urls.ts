// Addresses that no webhook may reach, in the notations used to bypass checks.

export const forbiddenAddresses: readonly string[] = words(`
  0.0.0.0 0.1.2.3 10.0.0.1 10.255.255.255 100.64.0.1 100.127.255.255 127.0.0.1 127.255.0.1 169.254.169.254 172.16.0.1
  172.31.255.255 192.0.0.1 192.0.2.1 192.88.99.1 192.168.1.1 198.18.0.1 198.19.255.255 198.51.100.1 203.0.113.10
  224.0.0.1 239.1.1.1 240.0.0.1 255.255.255.255
  :: ::1 ::ffff:127.0.0.1 ::ffff:7f00:1 ::ffff:a9fe:a9fe ::127.0.0.1 64:ff9b::7f00:1 64:ff9b:1::7f00:1 100::1 2001::1
  2001:0:7f00:1:: 2001:db8::1 2002:7f00:1:: 2002:a9fe:a9fe::1 3fff::1 5f00::1 fc00::1 fd00:ec2::254 fe80::1 fec0::1
  ff02::1
`)

const spelt = words(`
  http://127.1/ http://0x7f.1/ http://2130706433/ http://0177.0.0.1/ http://0/ http://0x0/ http://①②⑦.⓪.⓪.①/
  http://127。0。0。1/ http://１２７.0.0.1/ http:\\\\127.0.0.1/ http:/127.0.0.1/ http:127.0.0.1/ http://127.0.0.1./
  http://%31%32%37.0.0.1/ http://0251.0376.0251.0376/ http://2852039166/ http://0xa9fea9fe/ http://169.254.43518/
  http://[::ffff:169.254.169.254]/ http://localhost/ http://LOCALHOST./ http://db.localhost/ https://localhost:8443/
  http://127.0.0.1:80/ http://a\\b/ http://user:pw@example.com/ http://user@example.com/ http://:pw@example.com/
  http://example.com@127.0.0.1 file:///etc/passwd gopher://example.com/ ftp://example.com/ javascript:1 data:,x
  ws://example.com/ nonsense http:// https://[::1 http://256.1.1.1/ http://1.1.1.1.1/ //example.com/ /hook
  http://example.com:25/ http://example.com:22/ http://example.com:4222/ http://example.com:5432/
  http://example.com:6379/ http://example.com:8088/
`)

const spaced = ['http://exa\nmple.com/', 'http://example.com/\t', ' http://example.com/', 'http://example.com/a b', '']

export const forbiddenUrls: readonly string[] = [
  ...forbiddenAddresses.map((address) => `http://${address.includes(':') ? `[${address}]` : address}/`),
  ...spelt,
  ...spaced,
]

function words(text: string): readonly string[] {
  return text.trim().split(/\s+/)
}
