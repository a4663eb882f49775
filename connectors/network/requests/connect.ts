import { isIP, type LookupFunction, connect as plain, type Socket } from 'node:net'
import { connect as secure } from 'node:tls'

export type Target = {
  /** For the certificate check; its addresses are not looked up again. */
  host: string
  port: number
  secure: boolean
  /** Checked before; at least one. A literal host is its own address. */
  addresses: readonly string[]
}

export type ConnectToTarget = (target: Target) => Socket

/**
 * A connection to one of exactly these addresses. The name was resolved once, and the connection uses the addresses
 * that were checked: a name server that changes its answer in between has no effect.
 */
export const connectTo: ConnectToTarget = ({ host, port, secure: encrypted, addresses }) => {
  const options = { host, port, lookup: answering(addresses), autoSelectFamily: true }
  if (!encrypted) return plain(options)
  const servername = isIP(host) === 0 ? host : ''
  return secure({ ...options, servername, ALPNProtocols: ['http/1.1'], rejectUnauthorized: true })
}

const answering =
  (addresses: readonly string[]): LookupFunction =>
  (_, options, callback) => {
    const all = addresses.map((address) => ({ address, family: isIP(address) }))
    if (options.all) callback(null, all)
    else callback(null, all[0]!.address, all[0]!.family)
  }
