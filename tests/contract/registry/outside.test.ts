import { request } from 'node:http'
import { join } from 'node:path'
import { COMPATIBILITY, SchemaRegistry, SchemaType } from '@kafkajs/confluent-schema-registry'
import { afterAll, describe, expect, test } from 'vitest'
import { openDoctor } from '../../../cli/commands/contexts/doctor.ts'
import { openRegistry } from '../../../cli/wiring/open/registry.ts'
import { LEVELS } from '../../../connectors/registry/embedded/compatibility.ts'
import { embeddedRegistry } from '../../../connectors/registry/embedded/registry-server.ts'
import { registryAddress, registryHeaders } from '../../../connectors/registry/registry-address.ts'
import { registryClient } from '../../../connectors/registry/registry-client.ts'
import { loadConfig } from '../../../platform/config.ts'
import { records } from '../../../schemas/log/records.ts'
import { ownFolder } from '../../builders/suite/own-folder.ts'

const OWN = 'entity.observations-value'
const OTHER = { type: SchemaType.AVRO, schema: '{"type":"record","name":"Other","fields":[]}' } as const

const folder = ownFolder('registry')
const closers: { close(): Promise<void> }[] = []
afterAll(async () => {
  for (const closer of closers) await closer.close()
})
const later = <T extends { close(): Promise<void> }>(opened: T): T => {
  closers.push(opened)
  return opened
}

const config = loadConfig({ HARRIER_DATA_DIR: folder })
const platform = later(await openRegistry(config))
const { host } = registryAddress(platform.url)

/** A request as it leaves the caller, with the secret of this start or without. */
async function ask(method: string, path: string, body: object | null, credentials: Record<string, string> = {}) {
  const headers = { 'content-type': 'application/json', ...credentials }
  const response = await fetch(host + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
  return response.status
}
const secret = registryHeaders(registryAddress(platform.url))

/** The path as it is written, without what a client makes of `..` and `//`. */
const raw = (method: string, path: string): Promise<number> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(host)
    const headers = { 'content-type': 'application/json' }
    const asked = request({ hostname, port, method, path, headers }, (answer) => {
      answer.resume()
      resolve(answer.statusCode!)
    })
    asked.once('error', reject)
    asked.end('{"compatibility":"FULL","schema":"\\"int\\""}')
  })

describe('a caller without the secret of this start', () => {
  const outside = new SchemaRegistry({ host })

  test('reads every schema, and asks whether one would fit', async () => {
    expect(await outside.getRegistryId(OWN, 1)).toBe(platform.ids.observation)
    expect(await outside.getSchema(platform.ids.observation)).toBeDefined()
    expect(await outside.getLatestSchemaId(OWN)).toBe(platform.ids.observation)
    const schema = JSON.stringify(records.observation.schema({ exportAttrs: true }))
    expect(await ask('POST', `/subjects/${OWN}`, { schema })).toBe(200)
    expect(await ask('POST', `/compatibility/subjects/${OWN}/versions/latest`, { schema })).toBe(200)
    expect(await ask('GET', `/config/${OWN}`, null)).toBe(200)
  })

  test('registers nothing, neither under a subject of the platform nor under another', async () => {
    for (const subject of [OWN, 'mine'])
      await expect(outside.register(OTHER, { subject, compatibility: COMPATIBILITY.BACKWARD })).rejects.toMatchObject({
        status: 401,
      })
    expect(await ask('GET', '/subjects/mine/versions', null)).toBe(404)
  })

  test('sets no level, of a subject or of all, in whatever way the path is written', async () => {
    for (const path of [`/config/${OWN}`, '/config', '/config/', `/config/${OWN}/`, '/config/mine'])
      for (const compatibility of LEVELS) expect([path, await ask('PUT', path, { compatibility })]).toEqual([path, 401])
    for (const path of [`//config/${OWN}`, `/subjects/x/../../config/${OWN}`, `/CONFIG/${OWN}`, `/config/${OWN}?a=b`])
      expect([path, await raw('PUT', path)]).toEqual([path, 401])
    for (const path of [`/subjects/${OWN}/versions/`, `/subjects/${OWN}/versions?x`, `/SUBJECTS/${OWN}/versions`])
      expect([path, await raw('POST', path)]).toEqual([path, 401])
    expect(await ask('DELETE', `/subjects/${OWN}`, null)).toBe(401)
  })

  test('comes no further with a secret of another start, of another user or with part of one', async () => {
    const other = later(await embeddedRegistry({ folder: join(folder, 'log') }))
    const basic = (text: string) => ({ authorization: `Basic ${Buffer.from(text).toString('base64')}` })
    const wrong = [
      registryHeaders(registryAddress(other.url)),
      basic('harrier:'),
      basic(`root:${registryAddress(platform.url).auth!.password}`),
      { authorization: secret.authorization!.slice(0, -4) },
      { authorization: 'Basic' },
    ]
    for (const credentials of wrong)
      expect(await ask('PUT', `/config/${OWN}`, { compatibility: 'FULL' }, credentials)).toBe(401)
  })
})

describe('a caller with the secret of this start', () => {
  test('registers under a subject of its own', async () => {
    const id = await registryClient({ url: platform.url }).register('own-subject', records.feed)
    expect(id).toBe(platform.ids.feed)
    expect(await ask('PUT', '/config/own-subject', { compatibility: 'NONE' }, secret)).toBe(200)
  })

  test('changes neither the level nor the versions of a subject of the platform', async () => {
    for (const compatibility of LEVELS.filter((level) => level !== 'BACKWARD'))
      expect(await ask('PUT', `/config/${OWN}`, { compatibility }, secret)).toBe(403)
    // A field with a default more: BACKWARD would let it through.
    const { fields, ...rest } = records.observation.schema({ exportAttrs: true }) as { fields: object[] }
    const wider = { ...rest, fields: [...fields, { name: 'more', type: 'int', default: 0 }] }
    expect(await ask('POST', `/subjects/${OWN}/versions`, { schema: JSON.stringify(wider) }, secret)).toBe(403)
    expect(await ask('POST', `/subjects/${OWN}/versions`, { schema: 'no' }, secret)).toBe(422)
    const same = JSON.stringify(records.observation.schema({ exportAttrs: true }))
    expect(await ask('POST', `/subjects/${OWN}/versions`, { schema: same }, secret)).toBe(200)
    expect(await (await fetch(`${host}/subjects/${OWN}/versions`)).json()).toEqual([1])
  })
})

describe('a data folder whose levels were changed', () => {
  /** As an older release let any caller do it. */
  const spoil = async () => {
    const open = await embeddedRegistry({ folder: join(folder, 'log') })
    const address = registryAddress(open.url)
    for (const [path, compatibility] of [
      [`/config/${OWN}`, 'FULL'],
      ['/config', 'NONE'],
    ] as const) {
      const headers = { ...registryHeaders(address), 'content-type': 'application/json' }
      const body = JSON.stringify({ compatibility })
      expect((await fetch(address.host + path, { method: 'PUT', headers, body })).status).toBe(200)
    }
    await open.close()
  }

  test('starts again, and says what was changed', async () => {
    await spoil()
    const again = later(await openRegistry(config))
    expect(again.mended).toEqual([{ subject: OWN, was: 'FULL' }])
    expect(again.ids).toEqual(platform.ids)
    expect(later(await openRegistry(config)).mended).toEqual([])
  })

  test('is put right by doctor, which names the subject', async () => {
    await spoil()
    const { checks, close } = await openDoctor(config, { repair: false })
    const found = []
    for (const check of checks.filter(({ name }) => name === 'registry')) found.push(...(await check.run()))
    await close()
    expect(found).toMatchObject([
      { state: 'warn', what: `the compatibility level of ${OWN} was FULL; it is now BACKWARD` },
      { state: 'ok' },
    ])
  })
})
