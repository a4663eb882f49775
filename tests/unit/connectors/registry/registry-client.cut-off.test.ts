import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { registryClient } from '../../../../connectors/registry/registry-client.ts'
import { records } from '../../../../schemas/log/records.ts'

/** A registry that closes the connection of its first requests without an answer. */
async function cuttingOff(first: number) {
  let asked = 0
  const server = createServer((request, response) => {
    asked++
    if (asked <= first) return void request.socket.resetAndDestroy()
    const answer = request.method === 'POST' ? { id: 7 } : { compatibilityLevel: 'BACKWARD' }
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const registry = registryClient({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })
  return { registry, asked: () => asked, close: () => server.close() }
}

test('a registration whose connection is closed without an answer is made again', async () => {
  const { registry, close } = await cuttingOff(2)
  expect(await registry.register('feed.deltas-value', records.feed)).toBe(7)
  close()
})

test('a registry that always closes it is told as it is, after some attempts', async () => {
  const { registry, asked, close } = await cuttingOff(1_000)
  await expect(registry.register('feed.deltas-value', records.feed)).rejects.toThrow(
    'cannot register the schema of feed.deltas-value',
  )
  expect(asked()).toBeLessThan(100)
  close()
})
