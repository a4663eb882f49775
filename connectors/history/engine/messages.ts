import type { Account } from './request.ts'
import type { Limits } from './server.ts'

/** First message to the engine; the only other one is the word `stop`. */
export type ToEngine = {
  dataDir: string
  /** 0 lets the system choose. */
  port: number
  account: Account
  lanes: { read: number; insert: number; queue: number }
  limits: Limits
  /** Of the whole engine. */
  memoryBytes: number
}

export type FromEngine = { kind: 'ready'; port: number } | { kind: 'refused'; reason: string }
