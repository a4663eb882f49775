import { afterAll, expect, test } from 'vitest'
import { embeddedRegistry } from '../../../connectors/registry/embedded/registry-server.ts'
import { registryAddress, registryHeaders } from '../../../connectors/registry/registry-address.ts'
import { registryClient } from '../../../connectors/registry/registry-client.ts'
import { records } from '../../../schemas/log/records.ts'
import { ownFolder } from '../../builders/suite/own-folder.ts'
import { registryContract } from './suite.ts'

const folder = ownFolder('registry')
const servers: { close(): Promise<void> }[] = []
afterAll(async () => {
  for (const server of servers) await server.close()
})

async function open(): Promise<string> {
  const server = await embeddedRegistry({ folder })
  servers.push(server)
  return server.url
}

registryContract('embedded', open)

test('two registries on one folder give one schema one id, and different ones different ids', async () => {
  const [one, two] = [registryClient({ url: await open() }), registryClient({ url: await open() })]
  const ids = await Promise.all([
    one.register('same', records.feed),
    two.register('same', records.feed),
    one.register('a', records.observation),
    two.register('b', records.submission),
  ])
  expect(ids[0]).toBe(ids[1])
  expect(new Set(ids).size).toBe(3)
})

/** What one who knows the URL sends. */
async function send(url: string, method: string, path: string, body: object): Promise<Response> {
  const address = registryAddress(url)
  const headers = { ...registryHeaders(address), 'content-type': 'application/json' }
  return fetch(address.host + path, { method, headers, body: JSON.stringify(body) })
}

test('a body over 1 MiB is refused', async () => {
  const response = await send(await open(), 'POST', '/subjects/large/versions', { schema: 'x'.repeat(1_100_000) })
  expect(response.status).toBe(413)
})

test('a question without the secret may be 64 KiB, with it 1 MiB', async () => {
  const url = await open()
  const { host } = registryAddress(url)
  for (const path of ['/subjects/any', '/compatibility/subjects/any/versions/latest']) {
    const fits = { schema: 'x'.repeat(60_000) }
    const large = { schema: 'x'.repeat(70_000) }
    expect((await send(host, 'POST', path, fits)).status).toBe(404)
    expect((await send(host, 'POST', path, large)).status).toBe(413)
    expect((await send(url, 'POST', path, large)).status).toBe(404)
  }
})

// Apicurio answers 40402 and 500 to the next two; the embedded registry keeps to Confluent's codes.
test('a version that is no number is said to be invalid', async () => {
  const { host } = registryAddress(await open())
  const response = await fetch(`${host}/subjects/any/versions/first`)
  expect([response.status, await response.json()]).toMatchObject([422, { error_code: 42202 }])
})

test('a level that does not exist is refused', async () => {
  const response = await send(await open(), 'PUT', '/config/any', { compatibility: 'SOMETIMES' })
  expect([response.status, await response.json()]).toMatchObject([422, { error_code: 42203 }])
})

test('a schema with references, or of another language, is refused', async () => {
  const url = await open()
  for (const body of [
    { schema: '"int"', references: [{ name: 'x', subject: 'x', version: 1 }] },
    { schema: 'syntax = "proto3";', schemaType: 'PROTOBUF' },
  ])
    expect((await send(url, 'POST', '/subjects/other/versions', body)).status).toBe(422)
})
