import { afterAll, beforeAll } from 'vitest'
import { allowing } from '../../../edge/listeners/allowed.ts'
import { type HttpOptions, listenHttp } from '../../../edge/listeners/http/server.ts'
import type { Listener } from '../../../edge/listeners/listener.ts'
import { listAnswers } from './list-answers.ts'

/** An edge over HTTP for the tests of a file or `describe`, over a few items. */
export function httpEdge(given: Partial<HttpOptions> = {}) {
  const answers = listAnswers()
  let listener: Listener
  beforeAll(async () => {
    const options = { answers, allowed: allowing(null), secret: null, metrics: () => 'harrier_edge_items 5\n' }
    listener = await listenHttp({ host: '127.0.0.1', port: 0 }, { ...options, ...given })
  })
  afterAll(() => listener.close())
  const url = (): string => `http://127.0.0.1:${listener.port}`
  return {
    answers,
    url,
    listener: () => listener,
    /** What `POST /v1` answers: its status, and its lines. */
    async lines(body: string | Buffer, headers: Record<string, string> = {}) {
      const response = await fetch(`${url()}/v1`, {
        method: 'POST',
        headers: { 'content-type': 'application/x-ndjson', ...headers },
        body,
      })
      const text = await response.text()
      return {
        status: response.status,
        lines: text
          .split('\n')
          .filter((line) => line !== '')
          .map(read),
      }
    },
  }
}

const read = (line: string) => JSON.parse(line) as Record<string, unknown> & { error?: { code: string } }
