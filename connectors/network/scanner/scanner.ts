import { isPublicAddress } from '../../../schemas/network/address.ts'
import { localHost } from '../../../schemas/network/host.ts'
import { dnsNames, type NameLookup } from './dns-names.ts'
import { factsOfAddress, factsOfName } from './facts/facts.ts'
import type { HostFound, NameFound } from './facts/found.ts'
import { type ScanFindings, type Scanner, ScanRefused, type ScanTarget } from './port.ts'
import { type Endpoint, PROBE_LIMITS, type ProbeLimits, probePort } from './probe-port.ts'

/** Runs `work` on every item, at most `limit` at a time; the results are in the order of the items. */
async function each<T, R>(items: readonly T[], limit: number, work: (item: T) => Promise<R>): Promise<R[]> {
  const outcomes: R[] = new Array(items.length)
  const left = items.entries()
  const worker = async (): Promise<void> => {
    for (const [i, item] of left) outcomes[i] = await work(item)
  }
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker))
  return outcomes
}

/** Addresses of one name that are probed. */
const MAX_ADDRESSES = 4
/** Concurrent connections of one scan. */
const MAX_CONNECTIONS = 8
/** Limit of one scan: 100 ports that never accept a connection, on four addresses, take half of it. */
const TOTAL_MS = 300_000

export type ScannerOptions = {
  /** TCP ports that are probed. */
  ports: readonly number[]
  /** Also addresses and names that are not public (tests). */
  allowPrivate: boolean
  /** The rest is for tests. */
  names?: NameLookup
  limits?: Partial<ProbeLimits>
  totalMs?: number
}

/** See `Scanner`. */
export function createScanner(options: ScannerOptions): Scanner {
  const names = options.names ?? dnsNames()
  const limits = { ...PROBE_LIMITS, ...options.limits }
  const isPermitted = (address: string): boolean => options.allowPrivate || isPublicAddress(address)

  /** Names are resolved once: connections use the addresses that were checked here. */
  async function probe(addresses: readonly string[], host: string | null, signal: AbortSignal): Promise<HostFound[]> {
    const endpoints = addresses.flatMap((address) =>
      options.ports.map((port): Endpoint => ({ address, host: host ?? address, port })),
    )
    const [reverse, found] = await Promise.all([
      each(addresses, MAX_ADDRESSES, (address) => names.reverse(address, signal).catch(() => [])),
      each(endpoints, MAX_CONNECTIONS, (place) => probePort(place, limits, signal)),
    ])
    return addresses.map((address, i) => ({
      address,
      names: reverse[i]!,
      ports: found.filter((one, at) => one !== null && endpoints[at]!.address === address).map((one) => one!),
    }))
  }

  async function scanAddress(address: string, signal: AbortSignal): Promise<ScanFindings> {
    if (!isPermitted(address)) throw new ScanRefused('the address is not public')
    const [host] = await probe([address], null, signal)
    return factsOfAddress(host!)
  }

  async function scanName(name: string, signal: AbortSignal): Promise<ScanFindings> {
    if (!options.allowPrivate && localHost(name) !== null) throw new ScanRefused('the name belongs to a local network')
    const found: NameFound = await names.records(name, signal)
    const addresses = [...new Set(found.addresses)].filter(isPermitted).slice(0, MAX_ADDRESSES)
    return factsOfName(name, found, await probe(addresses, name, signal))
  }

  return {
    async scan({ kind, value }: ScanTarget, signal) {
      signal.throwIfAborted()
      const ending = AbortSignal.any([signal, AbortSignal.timeout(options.totalMs ?? TOTAL_MS)])
      try {
        return await (kind === 'ip' ? scanAddress(value, ending) : scanName(value, ending))
      } finally {
        // A result cut short by the caller is not what the target shows.
        signal.throwIfAborted()
      }
    },
  }
}
