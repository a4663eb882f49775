import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { registryClient } from '../../../connectors/registry/client.ts'
import { embeddedRegistry } from '../../../connectors/registry/embedded/server.ts'
import { records } from '../../../schemas/records.ts'
import { registryContract } from './contract.ts'

const folder = mkdtempSync(join(tmpdir(), 'harrier-registry-'))
const servers: { close(): Promise<void> }[] = []
afterAll(async () => {
  for (const server of servers) await server.close()
  rmSync(folder, { recursive: true })
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

test('a body over 1 MiB is refused', async () => {
  const response = await fetch(`${await open()}/subjects/large/versions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ schema: 'x'.repeat(1_100_000) }),
  })
  expect(response.status).toBe(413)
})

// Apicurio answers 40402 and 500 to the next two; the embedded registry keeps to Confluent's codes.
test('a version that is no number is said to be invalid', async () => {
  const response = await fetch(`${await open()}/subjects/any/versions/first`)
  expect([response.status, await response.json()]).toMatchObject([422, { error_code: 42202 }])
})

test('a level that does not exist is refused', async () => {
  const response = await fetch(`${await open()}/config/any`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ compatibility: 'SOMETIMES' }),
  })
  expect([response.status, await response.json()]).toMatchObject([422, { error_code: 42203 }])
})

test('a schema with references, or of another language, is refused', async () => {
  const url = `${await open()}/subjects/other/versions`
  for (const body of [
    { schema: '"int"', references: [{ name: 'x', subject: 'x', version: 1 }] },
    { schema: 'syntax = "proto3";', schemaType: 'PROTOBUF' },
  ]) {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    expect(response.status).toBe(422)
  }
})
