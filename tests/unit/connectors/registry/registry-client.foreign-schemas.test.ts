import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, expect, test } from 'vitest'
import { registryClient } from '../../../../connectors/registry/registry-client.ts'
import { records } from '../../../../schemas/log/records.ts'

/** What a registry answers for an id: a status and a body. */
const ANSWERS: Record<string, [number, object]> = {
  1: [200, { schema: JSON.stringify(records.feed.schema()) }],
  2: [200, { schemaType: 'JSON', schema: '{"type":"object"}' }],
  3: [200, { schemaType: 'PROTOBUF', schema: 'syntax = "proto3"; message A { string b = 1; }' }],
  4: [200, { schemaType: 'OTHER', schema: 'x' }],
  5: [200, { schema: '{"type":"record","name":"A","fields":[{"name":"b","type":"nonsense"}]}' }],
  6: [200, { schema: 'not json' }],
  7: [404, { error_code: 40403, message: 'not found' }],
  8: [500, { error_code: 50001, message: 'broken' }],
}
const server = createServer(({ url }, response) => {
  const [status, body] = ANSWERS[/\d+/.exec(url ?? '')?.[0] ?? ''] ?? [404, {}]
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}).listen(0, '127.0.0.1')
afterAll(() => server.close())

test('a schema that is no Avro is none that is known: a record that names it stops nobody', async () => {
  if (!server.listening) await once(server, 'listening')
  const registry = registryClient({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })
  expect((await registry.schema(1))?.name).toBe('harrier.Feed')
  for (const id of [2, 3, 4, 5, 6, 7]) expect([id, await registry.schema(id)]).toEqual([id, undefined])
})

test('a registry that fails, or is not there, is no answer', { timeout: 30_000 }, async () => {
  const { port } = server.address() as AddressInfo
  await expect(registryClient({ url: `http://127.0.0.1:${port}` }).schema(8)).rejects.toThrow('cannot fetch schema')
  await expect(registryClient({ url: 'http://127.0.0.1:1' }).schema(1)).rejects.toThrow('cannot fetch schema')
})
