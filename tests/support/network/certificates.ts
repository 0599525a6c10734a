// Certificates for a test: a CA, and a server certificate signed by it.

import { execFileSync } from 'node:child_process'
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export type Certificate = { readonly certFile: string; readonly keyFile: string }
export type Authority = Certificate & {
  // For a name such as `DNS:bus.example.org` or `IP:127.0.0.1`.
  readonly issue: (name: string) => Certificate
}

const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes']

export function testAuthority(directory: string, name: string): Authority {
  const files = filesOf(directory, name)
  openssl(
    'req',
    '-x509',
    ...kind,
    '-days',
    '2',
    '-subj',
    `/CN=${name}`,
    '-keyout',
    files.keyFile,
    '-out',
    files.certFile,
  )
  let issued = 0
  return {
    ...files,
    issue: (subject) => {
      const own = filesOf(directory, `${name}-${issued++}`)
      const [request, extensions] = [`${own.certFile}.csr`, `${own.certFile}.ext`]
      writeFileSync(extensions, `subjectAltName=${subject}\n`)
      openssl('req', ...kind, '-subj', '/CN=server', '-keyout', own.keyFile, '-out', request)
      const by = ['-CA', files.certFile, '-CAkey', files.keyFile, '-CAcreateserial', '-extfile', extensions]
      openssl('x509', '-req', '-in', request, ...by, '-days', '2', '-out', own.certFile)
      // Servers that run as another user read them.
      chmodSync(own.keyFile, 0o644)
      return own
    },
  }
}

function filesOf(directory: string, name: string): Certificate {
  return { certFile: join(directory, `${name}.pem`), keyFile: join(directory, `${name}.key`) }
}

function openssl(...args: string[]): void {
  execFileSync('openssl', args, { stdio: 'ignore' })
}
