import { once } from 'node:events'
import Koa from 'koa'
import pino from 'pino'
import { expect, test, vi } from 'vitest'
import { headIsOut, observe } from '../../../../../api/http/middleware/observe-requests.ts'
import { prometheusMetrics } from '../../../../../connectors/metrics/prometheus.ts'

const LATER = { timeout: 60_000, interval: 10 }
const COUNT = 'harrier_http_request_duration_seconds_count{method="GET",route="none",status="200"}'
const FLIGHT = 'harrier_http_requests_in_flight'

/** Serves one request, whose answer begins, says that its head is out when it is `long`, and waits for its end. */
async function serve(long: boolean) {
  const lines: string[] = []
  const logger = pino({ level: 'debug' }, { write: (line: string) => void lines.push(line) })
  const metrics = prometheusMetrics({ process: false })
  const { promise: end, resolve: finish } = Promise.withResolvers<void>()
  const app = new Koa().use(observe(metrics.instruments, logger)).use(async (ctx) => {
    ctx.respond = false
    ctx.res.writeHead(200)
    ctx.res.flushHeaders()
    if (long) headIsOut(ctx)
    await end
    ctx.res.end('end')
  })
  const server = app.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  const response = await fetch(`http://127.0.0.1:${port}/`)
  return {
    lines,
    text: () => metrics.text(),
    async finish() {
      finish()
      await response.text()
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

test('a request is measured once, when its answer is out', async () => {
  const { lines, text, finish } = await serve(false)
  expect(await text()).not.toContain(COUNT)
  expect(await text()).toContain(`${FLIGHT} 1`)
  expect(lines).toEqual([])
  await finish()
  await vi.waitFor(async () => expect(await text()).toContain(`${COUNT} 1`), LATER)
  expect(await text()).toContain(`${FLIGHT} 0`)
  expect(lines.map((line) => JSON.parse(line).msg)).toEqual(['request'])
})

test('a long answer is measured once, when its head is out', async () => {
  const { lines, text, finish } = await serve(true)
  expect(await text()).toContain(`${COUNT} 1`)
  expect(await text()).toContain(`${FLIGHT} 0`)
  await finish()
  expect(await text()).toContain(`${COUNT} 1`)
  expect(await text()).toContain(`${FLIGHT} 0`)
  expect(lines.map((line) => JSON.parse(line).msg)).toEqual(['request'])
})
