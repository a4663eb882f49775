import { randomUUID } from 'node:crypto'
import type { Session } from 'chdb'

export type PreparedSessions = {
  /**
   * Runs `work` on a session in which `prepare` was run. Both get the tag of the session, by which its query is killed.
   * @param key of sessions that are prepared alike: one is kept for the next call when `work` resolves. Null: the
   * session is for this call alone
   */
  use<T>(
    key: string | null,
    prepare: (tag: string) => string,
    work: (session: Session, tag: string) => Promise<T>,
  ): Promise<T>
  /** Releases the sessions that are kept; one in use is released when its work ends. */
  close(): void
}

/** More than the kinds of statements that come again and again, times the reads at once. */
const MAX_KEPT = 32

/**
 * A new session and its settings are a quarter of what a small statement costs, so they are kept (ADR 184). Not after an
 * error: the partial answer of a query that failed would come before the next one.
 */
export function preparedSessions(open: () => Session): PreparedSessions {
  const kept: { key: string; session: Session; tag: string }[] = []
  let closed = false

  function keep(key: string | null, session: Session, tag: string): void {
    if (key !== null && !closed) kept.push({ key, session, tag })
    else session.close()
    if (kept.length > MAX_KEPT) kept.shift()!.session.close()
  }

  return {
    async use(key, prepare, work) {
      const at = kept.findLastIndex((each) => each.key === key)
      const ready = at === -1 ? undefined : kept.splice(at, 1)[0]
      const { session, tag } = ready ?? { session: open(), tag: randomUUID() }
      try {
        if (ready === undefined) await session.queryAsync(prepare(tag))
        const result = await work(session, tag)
        keep(key, session, tag)
        return result
      } catch (error) {
        session.close()
        throw error
      }
    },
    close() {
      closed = true
      for (const { session } of kept.splice(0)) session.close()
    },
  }
}
