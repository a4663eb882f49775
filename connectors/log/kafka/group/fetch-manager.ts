import { setImmediate as nextTurn } from 'node:timers/promises'

/** What the client's `createFetchManager` is given and makes, as far as it matters here. */
export type FetchManagerOptions = {
  getNodeIds(): unknown[]
  fetch(node: unknown): Promise<unknown[]>
}
export type FetchManager = { start(): Promise<void>; stop(): Promise<void> }

class Stopped extends Error {}

/**
 * The client's fetch manager with two faults put right (ADR 253). It makes its fetchers anew where the set of brokers
 * changed, also when it has been stopped meanwhile: nobody stops those that it makes then, each of their fetches comes back
 * at once with nothing, and the process does nothing else any more. Here one that was stopped makes no fetchers, and a fetch
 * that comes back with nothing lets everything else have its turn, for whatever reason it does.
 * @param create what the client makes fetch managers by
 */
export const stoppableFetchManager =
  (create: (options: FetchManagerOptions) => FetchManager) =>
  (options: FetchManagerOptions): FetchManager => {
    let stopped = false
    const manager = create({
      ...options,
      // It asks before it makes fetchers, and before each fetch whether the brokers are the same.
      getNodeIds() {
        if (stopped) throw new Stopped('the consumer was stopped')
        return options.getNodeIds()
      },
      async fetch(node) {
        const batches = await options.fetch(node)
        if (batches.length === 0) await nextTurn()
        return batches
      },
    })
    return {
      ...manager,
      async start() {
        try {
          await manager.start()
        } catch (error) {
          if (!(error instanceof Stopped)) throw error
        }
      },
      async stop() {
        stopped = true
        await manager.stop()
      },
    }
  }
