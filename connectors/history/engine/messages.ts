import type { AnalystOptions } from './analyst/ask.ts'
import type { Account } from './request.ts'
import type { EngineLimits } from './server.ts'
import type { Lanes } from './sessions.ts'

/** First message to the engine; the only other one is the word `stop`. */
export type ToEngine = {
  dataDir: string
  /** 0 lets the system choose. */
  port: number
  /** Another port, chosen by the system, when somebody else listens on that one. */
  orAnother: boolean
  account: Account
  lanes: Lanes
  limits: EngineLimits
  /** Absent: nobody but the account may ask. */
  analysts?: AnalystOptions
  /** Of the whole engine. */
  memoryBytes: number
}

export type FromEngine = { kind: 'ready'; port: number } | { kind: 'refused'; reason: string }
