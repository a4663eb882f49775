import { BlockList, isIP, isIPv4 } from 'node:net'

/** Who may ask a listener, by the address that a connection comes from. */
export type Allowed = (address: string | undefined) => boolean

/** IPv4 as a socket of both families names it. */
const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')

/** Whether an address is one of this machine alone. */
export const isLoopback = (address: string): boolean => has(loopback, address)

function has(list: BlockList, given: string): boolean {
  const address = MAPPED.exec(given)?.[1] ?? given
  return list.check(address, isIPv4(address) ? 'ipv4' : 'ipv6')
}

/**
 * Reads `--allow` (decisions 19.2): networks in CIDR notation, or addresses.
 * @param networks null: everybody who reaches the listener
 * @throws Error that names what is no network
 */
export function allowing(networks: readonly string[] | null): Allowed {
  if (networks === null) return () => true
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', bits, ...more] = network.split('/')
    const family = isIPv4(address) ? 'ipv4' : 'ipv6'
    const longest = family === 'ipv4' ? 32 : 128
    const length = bits === undefined ? longest : /^\d{1,3}$/.test(bits) ? Number(bits) : Number.NaN
    if (isIP(address) === 0 || !(length <= longest) || more.length > 0)
      throw new Error(`${JSON.stringify(network)} is no network such as 192.0.2.0/24`)
    list.addSubnet(address, length, family)
  }
  return (address) => address !== undefined && has(list, address)
}
