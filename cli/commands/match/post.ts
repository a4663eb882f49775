import { setTimeout as sleep } from 'node:timers/promises'
import { lineReader } from '../../../connectors/feeds/line-reader.ts'
import { type Credentials, noAnswer, refusal, WHAT_TO_DO } from '../admin/server-context.ts'
import type { Portion } from './portion.ts'

/** What the platform says to the lines of a portion. */
type Answered = { accepted: number; refused: readonly { line: number; reason: string }[] }

type Line = { line?: unknown; id?: unknown; error?: { code?: unknown; message?: unknown; param?: unknown } }

/**
 * Reads the answer to a portion of `count` lines: `{line, id}` or `{line, error}` for each. null when it is not whole: it
 * says nothing about the lines that are not in it. Rejects when the connection breaks.
 */
export async function readAnswer(response: Response, count: number): Promise<Answered | null> {
  const seen = new Set<number>()
  const refused: { line: number; reason: string }[] = []
  const reader = lineReader()
  const take = (text: string | null): boolean => {
    if (text === '') return true
    const answer = text === null ? null : parse(text)
    const line = answer?.line
    if (answer === null || typeof line !== 'number' || !Number.isInteger(line) || line < 1 || line > count) return false
    if (typeof answer.id !== 'string' && typeof answer.error !== 'object') return false
    if (!seen.has(line) && typeof answer.id !== 'string') refused.push({ line, reason: reasonOf(answer) })
    seen.add(line)
    return true
  }
  const decoder = new TextDecoder()
  for await (const bytes of response.body ?? [])
    if (!reader.push(decoder.decode(bytes, { stream: true })).every(take)) return null
  if (!reader.end().every(take)) return null
  return seen.size === count ? { accepted: count - refused.length, refused } : null
}

function parse(text: string): Line | null {
  try {
    const answer: unknown = JSON.parse(text)
    return typeof answer === 'object' ? answer : null
  } catch {
    return null
  }
}

/** The message, which may name the part itself. */
function reasonOf({ error }: Line): string {
  const { code, message, param } = error ?? {}
  const text = typeof message === 'string' ? message : String(code)
  return typeof param === 'string' && !text.startsWith(param) ? `${param} ${text}` : text
}

export type Poster = (portion: Portion) => Promise<Answered>

export type PostOptions = {
  url: string
  credentials: Credentials
  /** Told why a portion is sent again, and when. */
  warn(text: string): void
  /** After it a portion has `STOP_MS` left. */
  signal: AbortSignal
  /** For tests: the first pause. */
  pauseMs?: number
}

const PATH = '/api/match/v1/events'
const REQUEST_MS = 60_000
const PAUSE_MS = 500
const MAX_PAUSE_MS = 60_000
/** Longer than that, the platform is asked again anyway: a limit may have been raised. */
const MAX_RETRY_AFTER_MS = 3_600_000
const STOP_MS = 10_000
/** Whoever answers like this so often is no Harrier. */
const MAX_BROKEN = 5

/** Why a portion is to be sent again; `after`: milliseconds that the platform asks for. */
type Failure = { why: string; after: number | null; broken: boolean; isAway?: true }

/**
 * Sends portions one after the other, each until it has a whole answer: limits, faults of the platform and of the network
 * are waited for. A portion that is sent twice counts once, because its events have the same ids. Rejects with the
 * platform's words when it refuses the whole, which waiting does not change.
 */
export function poster(options: PostOptions): Poster {
  const { warn, signal, pauseMs = PAUSE_MS } = options
  let advised = false
  return async (portion) => {
    const stopBy = deadline(signal)
    for (let attempt = 0, broken = 0; ; attempt++) {
      const answer = await send(portion, options)
      if ('accepted' in answer) return answer
      if (answer.broken && ++broken === MAX_BROKEN)
        throw new Error(`${options.url} does not answer like Harrier; check HARRIER_URL`)
      if (stopBy.isOver()) throw new Error(`${portion.lines.length} events were not sent: ${answer.why}`)
      const own = Math.min(MAX_PAUSE_MS, pauseMs * 2 ** attempt) * (0.5 + Math.random() / 2)
      const pause = Math.max(pauseMs, answer.after ?? own)
      // While it stops there is no time for what the platform asks for, and one try more costs little.
      const wait = signal.aborted ? Math.min(pause, pauseMs) : pause
      if (!signal.aborted) warn(`${answer.why}; retrying in ${Math.ceil(wait / 1_000)} s`)
      if (answer.isAway && !advised) {
        advised = true
        warn(WHAT_TO_DO)
      }
      await sleep(wait, undefined, signal.aborted ? {} : { signal }).catch(() => undefined)
    }
  }
}

/** Whether the time is over that a portion has after the signal. */
function deadline(signal: AbortSignal): { isOver(): boolean } {
  let stoppedAt: number | null = null
  return {
    isOver() {
      if (!signal.aborted) return false
      stoppedAt ??= performance.now()
      return performance.now() - stoppedAt >= STOP_MS
    },
  }
}

async function send({ body, lines }: Portion, { url, credentials, signal }: PostOptions): Promise<Answered | Failure> {
  let response: Response
  try {
    response = await fetch(`${url.replace(/\/+$/, '')}${PATH}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-ndjson',
        'api-key': credentials.key,
        'api-secret': credentials.secret,
      },
      body,
      // Credentials go to the server that was named and to no other: a redirection is a refusal.
      redirect: 'manual',
      signal: AbortSignal.timeout(signal.aborted ? STOP_MS : REQUEST_MS),
    })
    if (response.ok) {
      const answer = await readAnswer(response, lines.length)
      return answer ?? { why: `the answer of ${url} is incomplete`, after: null, broken: true }
    }
  } catch (error) {
    return { why: noAnswer(url, error), after: null, broken: false, isAway: true }
  }
  const text = await response.text().catch(() => '')
  const why = refusal(response, text)
  const isLater = response.status === 429 || response.status === 408 || response.status >= 500
  // A limit of 0 is not one that ends.
  if (!isLater || text.includes('"feature_disabled"')) throw new Error(why)
  return { why, after: retryAfter(response.headers.get('retry-after')), broken: false }
}

/** Milliseconds; null without a usable one. */
function retryAfter(text: string | null): number | null {
  if (text === null) return null
  const wait = /^\d{1,9}$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - Date.now()
  return Number.isNaN(wait) ? null : Math.min(MAX_RETRY_AFTER_MS, Math.max(0, wait))
}
