import { Resolver } from 'node:dns/promises'
import ipaddr from 'ipaddr.js'
import { isPublicAddress } from '../../../schemas/network/address.ts'
import { localHost } from '../../../schemas/network/host.ts'
import { factsOfAddress, factsOfName } from './facts/facts.ts'
import type { HostFound, NameFound } from './facts/found.ts'
import { type ScanFindings, type Scanner, ScanRefused, type ScanTarget } from './port.ts'
import { type Endpoint, PROBE_LIMITS, type ProbeLimits, probePort } from './probe-port.ts'

export type NameLookup = {
  /** The records of a name. Rejects when no query about it was answered; "there is none" is an answer. */
  records(name: string, signal: AbortSignal): Promise<NameFound>
  /** The names of an address. Rejects when there are none. */
  reverse(address: string, signal: AbortSignal): Promise<string[]>
}

/** Limit for each kind of record. */
const MAX_RECORDS = 64
const MAX_TEXT = 1_024

const TRY_MS = 3_000
const TRIES = 2

/** Response codes which say that there is no record. */
const NOTHING = new Set(['ENODATA', 'ENOTFOUND'])

/** Queries the name servers of the system, or those given as `address:port` (tests). */
export function dnsNames(servers?: readonly string[]): NameLookup {
  const withResolver = async <T>(signal: AbortSignal, ask: (resolver: Resolver) => Promise<T>): Promise<T> => {
    signal.throwIfAborted()
    const resolver = new Resolver({ timeout: TRY_MS, tries: TRIES })
    if (servers !== undefined) resolver.setServers(servers)
    const cancel = (): void => resolver.cancel()
    signal.addEventListener('abort', cancel, { once: true })
    return await ask(resolver).finally(() => signal.removeEventListener('abort', cancel))
  }
  return {
    records: (name, signal) =>
      withResolver(signal, async (resolver) => {
        const [four, six, mail, servers, texts] = await Promise.allSettled([
          resolver.resolve4(name),
          resolver.resolve6(name),
          resolver.resolveMx(name),
          resolver.resolveNs(name),
          resolver.resolveTxt(name),
        ])
        if (![four, six, mail, servers, texts].some(isAnswer))
          throw new Error(`no name server answered the query for ${name}`)
        return {
          addresses: [...answersOf(four), ...answersOf(six)],
          mailServers: answersOf(mail).map(({ exchange }) => exchange),
          nameServers: answersOf(servers),
          texts: answersOf(texts).map((pieces) => pieces.join('').slice(0, MAX_TEXT).toWellFormed()),
        }
      }),
    reverse: (address, signal) =>
      withResolver(signal, async (resolver) => (await resolver.resolvePtr(reverseName(address))).slice(0, MAX_RECORDS)),
  }
}

const isAnswer = (lookup: PromiseSettledResult<unknown>): boolean =>
  lookup.status === 'fulfilled' || NOTHING.has((lookup.reason as NodeJS.ErrnoException).code ?? '')

const answersOf = <T>(lookup: PromiseSettledResult<T[]>): T[] =>
  lookup.status === 'fulfilled' ? lookup.value.slice(0, MAX_RECORDS) : []

/** Not `resolver.reverse`: it reads the hosts file, whose machines should not be revealed. */
function reverseName(address: string): string {
  const parsed = ipaddr.parse(address)
  const bytes = parsed.toByteArray()
  if (parsed.kind() === 'ipv4') return `${bytes.toReversed().join('.')}.in-addr.arpa`
  const digits = Buffer.from(bytes).toString('hex')
  return `${[...digits].toReversed().join('.')}.ip6.arpa`
}

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
