import { Resolver } from 'node:dns/promises'

/** The addresses of a name. Rejects when there are none, or when `signal` aborts. */
export type Resolve = (host: string, signal: AbortSignal) => Promise<string[]>

const TRY_MS = 2_000
const TRIES = 2

/**
 * Queries the name servers of the system, or those given as `address:port` (tests). Not `dns.lookup`: it blocks one
 * of the four libuv threads that file access and compression share, so a few names with a slow server would stall the
 * process. It also reads the hosts file, whose machines a caller should not be able to name.
 */
export const nameResolver =
  (servers?: readonly string[]): Resolve =>
  async (host, signal) => {
    const resolver = new Resolver({ timeout: TRY_MS, tries: TRIES })
    if (servers !== undefined) resolver.setServers(servers)
    const cancel = (): void => resolver.cancel()
    signal.addEventListener('abort', cancel, { once: true })
    try {
      const answers = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)])
      const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
      const fault = answers.find(({ status }) => status === 'rejected')
      if (addresses.length === 0 && fault?.status === 'rejected') throw fault.reason
      return addresses
    } finally {
      signal.removeEventListener('abort', cancel)
    }
  }
