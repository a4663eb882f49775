import type { X509Certificate } from 'node:crypto'
import { isIP, type Socket } from 'node:net'
import { connect, type TLSSocket } from 'node:tls'
import { readable } from './facts/banner.ts'
import type { CertificateFound } from './facts/found.ts'
import { happens } from './stream-events.ts'

const MAX_NAMES = 50

/**
 * A TLS connection over an open one, to any server: old versions, weak ciphers and untrusted certificates are what a
 * scan looks for, and nothing secret is sent. null when there is none in time.
 */
export async function secureConnection(
  socket: Socket,
  host: string,
  ms: number,
  signal: AbortSignal,
): Promise<TLSSocket | null> {
  const servername = isIP(host) === 0 ? host : ''
  const weak = { minVersion: 'TLSv1', ciphers: 'DEFAULT@SECLEVEL=0' } as const
  const stream = connect({ socket, servername, rejectUnauthorized: false, ...weak })
  stream.on('error', () => undefined)
  if (await happens(stream, 'secureConnect', ms, signal)) return stream
  stream.destroy()
  return null
}

/** The certificate of the server; undefined when it sent none, or one that cannot be read. */
export function certificateOf(stream: TLSSocket): CertificateFound | undefined {
  try {
    const shown = stream.getPeerX509Certificate()
    return shown === undefined ? undefined : certificateFound(shown)
  } catch {
    // A handshake needs its key only: the other fields may be anything.
    return undefined
  }
}

const certificateFound = (shown: X509Certificate): CertificateFound => ({
  sha256: shown.fingerprint256,
  sha1: shown.fingerprint,
  issuer: distinguishedName(shown.issuer),
  subject: distinguishedName(shown.subject),
  validFrom: day(shown.validFromDate),
  validTo: day(shown.validToDate),
  names: dnsNamesIn(shown.subjectAltName ?? '').slice(0, MAX_NAMES),
})

/** `C=..\nO=..\nCN=..` on one line; a certificate may have no subject. */
const distinguishedName = (name: string | undefined): string => readable((name ?? '').replaceAll('\n', ', '))

const day = (date: Date): string | undefined =>
  Number.isNaN(date.getTime()) ? undefined : date.toISOString().split('T', 1)[0]

/** One `kind:value`; a value that contains a comma or a quote is quoted as JSON. */
const ALTERNATIVE = /([^:,"]+):("(?:[^"\\]|\\.)*"|[^,"]*)(?:, |$)/gy

/** The unquoted DNS names: a value that needs quotes is no name, and text inside quotes is no entry. */
export function dnsNamesIn(subjectAltName: string): string[] {
  const entries = [...subjectAltName.matchAll(ALTERNATIVE)]
  return entries.flatMap(([, kind, value]) => (kind === 'DNS' && !value!.startsWith('"') ? [value!] : []))
}
