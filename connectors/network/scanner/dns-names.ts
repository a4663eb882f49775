import { Resolver } from 'node:dns/promises'
import ipaddr from 'ipaddr.js'
import type { NameFound } from './facts/found.ts'

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
