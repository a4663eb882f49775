import { useState } from 'react'

export type Sending = {
  /** What the last work was refused with; null: nothing. */
  error: unknown
  sending: boolean
  /** Does the work, unless other work is under way. Never rejects: what it throws is `error`. */
  send(work: () => Promise<void>): Promise<void>
  /** The fields changed: what was refused is no more. */
  forget(): void
}

/** The sending of a form: one at a time, with why it was refused. */
export function useSend(): Sending {
  const [error, setError] = useState<unknown>(null)
  const [sending, setSending] = useState(false)
  return {
    error,
    sending,
    async send(work) {
      if (sending) return
      setError(null)
      setSending(true)
      try {
        await work()
      } catch (refused) {
        setError(refused)
      } finally {
        setSending(false)
      }
    },
    forget: () => setError(null),
  }
}
