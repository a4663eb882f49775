/** What goes out through a connection together. */
type Corked = { cork(): void; uncork(): void }

/** How long a write waits for those that follow, in milliseconds. */
const GATHERED_MS = 20

/**
 * Writes to many connections in small pieces: what is written to one within a moment goes out by one call of the system.
 * A thousand streams that are told of each partition's news would otherwise need a call each time.
 * @returns what is called before each write
 */
export function gathered(ms = GATHERED_MS): (connection: Corked) => void {
  const waiting = new Set<Corked>()
  const sendAll = (): void => {
    const all = [...waiting]
    waiting.clear()
    for (const connection of all) connection.uncork()
  }
  return (connection) => {
    if (waiting.has(connection)) return
    if (waiting.size === 0) setTimeout(sendAll, ms)
    waiting.add(connection)
    connection.cork()
  }
}
