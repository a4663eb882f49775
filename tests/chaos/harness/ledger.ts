import { appendFileSync, readFileSync } from 'node:fs'

/**
 * One request as its client saw it. `fate` is missing while no answer came: it may have arrived or not. One that `failed`
 * (a status of the 500s) may have arrived too, where the log is a broker whose own answer was lost.
 */
export type Sent = {
  op: number
  entityId: string
  source: string
  /** What every record of this request carries as its `text`; null for requests that are alike on purpose. */
  mark: string | null
  /** How many records it makes. */
  records: number
  fate?: 'acknowledged' | 'refused' | 'failed'
  /** When it left, and when its answer came: unix milliseconds. */
  at?: number
  answeredAt?: number
}

/** The client's own account, on disk before the request leaves: what it was promised cannot be forgotten. */
export function openLedger(path: string) {
  const write = (entry: object): void => appendFileSync(path, `${JSON.stringify(entry)}\n`)
  return {
    sent: (entry: Sent): void => write({ ...entry, at: Date.now() }),
    answered: (op: number, fate: NonNullable<Sent['fate']>): void => write({ op, fate, answeredAt: Date.now() }),
    read(): Sent[] {
      const entries = new Map<number, Sent>()
      for (const text of readFileSync(path, 'utf8').trimEnd().split('\n')) {
        const entry = JSON.parse(text) as Sent
        entries.set(entry.op, { ...entries.get(entry.op), ...entry })
      }
      return [...entries.values()]
    },
  }
}

export type Ledger = ReturnType<typeof openLedger>
