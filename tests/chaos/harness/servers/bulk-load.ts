import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type BulkTold, sendBulk } from '../../../builders/api/bulk-platform.ts'

const LINES = 100
const PAUSE_MS = 300

export type BulkLoad = {
  /** What the values of all its reports end with. */
  suffix: string
  /** Values whose lines were acknowledged. */
  acknowledged: readonly string[]
  /** Of requests and of lines, each a status with a code, but for 409s of attempts before. */
  refusals: readonly string[]
  /** Requests that were sent again under their key. */
  cut: number
  stop(): Promise<void>
}

/** Bulk reports one after another, each under a key and again until all of its lines are acknowledged. */
export function startBulkLoad(url: string, headers: Record<string, string>): BulkLoad {
  const suffix = `.${randomUUID().slice(0, 8)}.example.com`
  const acknowledged = new Set<string>()
  const refusals: string[] = []
  let stopping = false
  let cut = 0

  async function send(request: number): Promise<void> {
    const values = Array.from({ length: LINES }, (_, line) => `b${request}-${line}${suffix}`)
    const lines = values.map((domain) => JSON.stringify({ type: 'domain', attributes: { domain }, reputation: -2 }))
    const key = { 'idempotency-key': randomUUID() }
    for (;;) {
      const answer = await sendBulk(url, `${lines.join('\n')}\n`, headers, key).catch(() => null)
      if (answer !== null) {
        for (const { line, id } of answer.lines)
          if (line !== undefined && id !== undefined) acknowledged.add(values[line - 1]!)
        refusals.push(...refusalsOf(answer))
        if (answer.lines.at(-1)?.accepted === LINES) return
      }
      cut++
      await sleep(PAUSE_MS)
    }
  }

  const run = async (): Promise<void> => {
    for (let request = 0; !stopping; request++) {
      await send(request)
      await sleep(PAUSE_MS)
    }
  }
  const running = run()
  return {
    suffix,
    get acknowledged() {
      return [...acknowledged]
    },
    refusals,
    get cut() {
      return cut
    },
    async stop() {
      stopping = true
      await running
    },
  }
}

/** A line that failed is told with the code alone, as a single report is refused with it. */
function refusalsOf({ status, text, lines }: BulkTold): string[] {
  if (status !== 200) return status === 409 ? [] : [`${status} ${JSON.parse(text).error.code}`]
  return lines.flatMap(({ error }) => (error === undefined ? [] : [`503 ${error.code}`]))
}
