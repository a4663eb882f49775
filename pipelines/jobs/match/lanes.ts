import { mutex } from '../../runtime/mutex.ts'

/**
 * In which order the job works. What a batch of events meets is read while what an earlier batch met is still written;
 * what changes an index, or what was told, waits until everything before it is written, and all that comes after waits
 * for it.
 */
export function lanes() {
  const reading = mutex()
  const writing = mutex()
  return {
    alone: <T>(work: () => Promise<T>): Promise<T> => reading.take(() => writing.take(work)),
    /**
     * `read` after everything that was asked for before has been read, then the writes that it gives after all writes
     * before them. Resolves once they are done.
     */
    async inTwo<T>(read: () => Promise<() => Promise<T>>): Promise<T> {
      // The place among the writes is taken before anybody else reads.
      const { written } = await reading.take(async () => {
        const write = await read()
        return { written: writing.take(write) }
      })
      return written
    },
    /** Resolves once everything that was asked for is done. */
    async idle(): Promise<void> {
      await reading.idle()
      await writing.idle()
    },
  }
}
