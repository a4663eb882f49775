import { randomUUID } from 'node:crypto'
import avsc from 'avsc'
import { beforeAll, describe, expect, test } from 'vitest'
import { registryRules } from '../../../connectors/registry/compatibility-rules.ts'
import type { Registry } from '../../../connectors/registry/port.ts'
import { registryAddress, registryHeaders } from '../../../connectors/registry/registry-address.ts'
import { registryClient } from '../../../connectors/registry/registry-client.ts'
import { decoder, encoder, schemaIdOf } from '../../../schemas/log/codec.ts'
import { records } from '../../../schemas/log/records.ts'

const subject = () => `subject-${randomUUID()}`
const record = (...fields: object[]) => avsc.Type.forSchema({ type: 'record', name: 'R', fields } as avsc.Schema)
const A = { name: 'a', type: 'int' }
const B = { name: 'b', type: 'string' }
const B_DEFAULT = { ...B, default: 'none' }

/** What a plain client gets: one of several bodies, told apart by the assertions. */
// biome-ignore lint/suspicious/noExplicitAny: the shape differs by route
type Answer = any

/** The promises of the registry's port, and what the protocol answers to a plain client. */
export function registryContract(name: string, open: () => Promise<string>): void {
  describe(`${name} registry`, () => {
    let url: string
    let registry: Registry
    beforeAll(async () => {
      url = await open()
      registry = registryClient({ url })
    })
    const ask = async (method: string, path: string, body?: object) => {
      const address = registryAddress(url)
      const headers = { ...registryHeaders(address), 'content-type': 'application/vnd.schemaregistry.v1+json' }
      const response = await fetch(address.host + path, {
        method,
        headers,
        ...(body && { body: JSON.stringify(body) }),
      })
      return { status: response.status, body: (await response.json()) as Answer }
    }

    test('a schema that is registered again keeps its id', async () => {
      const [one, two] = [subject(), subject()]
      const id = await registry.register(one, records.observation)
      expect(await registry.register(one, records.observation)).toBe(id)
      expect(await registryClient({ url }).register(two, records.observation)).toBe(id)
    })

    test('processes that register the same new schema at once get one id', async () => {
      for (let round = 0; round < 5; round++) {
        const s = subject()
        const ids = await Promise.all([1, 2, 3].map(() => registryClient({ url }).register(s, record(A, B))))
        expect(new Set(ids).size).toBe(1)
      }
    })

    test('processes that register the same new subjects one after the other, at once, find each of them right', async () => {
      const subjects = Array.from({ length: 10 }, subject)
      const all = async () => {
        const client = registryClient({ url })
        const ids: number[] = []
        for (const s of subjects) ids.push(await client.register(s, record(A, B)))
        return ids
      }
      const ids = await Promise.all(Array.from({ length: 6 }, all))
      expect(new Set(ids.flat()).size).toBe(1)
    })

    test('a subject that was left without a rule, as its maker died, is given one', async () => {
      const s = subject()
      const schema = JSON.stringify(record(A).schema({ exportAttrs: true }))
      expect((await ask('POST', `/subjects/${s}/versions`, { schema })).status).toBe(200)
      await registry.register(s, record(A))
      expect((await ask('GET', `/config/${s}`)).body.compatibilityLevel).toBe('BACKWARD')
      await expect(registry.register(s, record(A, B))).rejects.toThrow(`${s} is not backward compatible`)
    })

    test('a record written here is read there, by the id in front of it', async () => {
      const type = record(A, B)
      const bytes = encoder(type, await registry.register(subject(), type))({ a: 1, b: 'x' })
      const elsewhere = registryClient({ url })
      const decode = decoder<{ a: number; b: string }>(type, elsewhere.known)
      expect(decode(bytes).ok).toBe(false)
      await elsewhere.schema(schemaIdOf(bytes)!)
      const decoded = decode(bytes)
      expect(decoded.ok && { ...decoded.record }).toEqual({ a: 1, b: 'x' })
    })

    test('a schema with a new field and a default may follow, and gets another id', async () => {
      const s = subject()
      const first = await registry.register(s, record(A))
      expect(await registry.register(s, record(A, B_DEFAULT))).not.toBe(first)
    })

    test('a schema that cannot read the one before is refused, and the subject named', async () => {
      const s = subject()
      await registry.register(s, record(A))
      await expect(registry.register(s, record(A, B))).rejects.toThrow(`${s} is not backward compatible`)
    })

    test('an id that nobody registered is undefined', async () => {
      expect(await registry.schema(2_000_000_000)).toBeUndefined()
    })

    test('versions, ids and levels are there for any client of the protocol', async () => {
      const s = subject()
      const id = await registry.register(s, record(A))
      await registry.register(s, record(A, B_DEFAULT))
      expect((await ask('GET', '/subjects')).body).toContain(s)
      expect((await ask('GET', `/subjects/${s}/versions`)).body).toEqual([1, 2])
      const first = await ask('GET', `/subjects/${s}/versions/1`)
      expect(first.body).toMatchObject({ subject: s, version: 1, id })
      expect((await ask('GET', `/subjects/${s}/versions/latest`)).body.version).toBe(2)
      expect(JSON.parse((await ask('GET', `/schemas/ids/${id}`)).body.schema)).toEqual(JSON.parse(first.body.schema))
      expect((await ask('POST', `/subjects/${s}`, { schema: first.body.schema })).body).toMatchObject({
        version: 1,
        id,
      })
      expect((await ask('GET', `/config/${s}`)).body.compatibilityLevel).toBe('BACKWARD')
    })

    test('compatibility can be asked for before registering', async () => {
      const s = subject()
      await registry.register(s, record(A))
      const check = async (...fields: object[]) => {
        const schema = JSON.stringify(record(...fields).schema({ exportAttrs: true }))
        return (await ask('POST', `/compatibility/subjects/${s}/versions/latest`, { schema })).body.is_compatible
      }
      expect(await check(A, B_DEFAULT)).toBe(true)
      expect(await check(A, B)).toBe(false)
    })

    test('a subject of another level is named, with how it is put right; then it is registered', async () => {
      const s = subject()
      await registry.register(s, record(A))
      const rules = registryRules(url)
      await rules.set(s, 'FULL')
      expect(await rules.level(s)).toBe('FULL')
      await expect(registryClient({ url }).register(s, record(A))).rejects.toThrow(
        `the compatibility level of ${s} in the schema registry is FULL but must be BACKWARD; run \`harrier doctor --repair\``,
      )
      await rules.set(s, 'BACKWARD')
      expect(await registryClient({ url }).register(s, record(A))).toBeGreaterThan(0)
      expect(await rules.level(subject())).toBeNull()
    })

    test('what is wrong is said with the code of the protocol', async () => {
      const s = subject()
      await registry.register(s, record(A))
      const schema = JSON.stringify(record(B).schema())
      const cases: [string, string, object | undefined, number, number][] = [
        ['GET', `/subjects/${subject()}/versions`, undefined, 404, 40401],
        ['GET', `/subjects/${s}/versions/9`, undefined, 404, 40402],
        ['GET', '/schemas/ids/2000000000', undefined, 404, 40403],
        ['POST', `/subjects/${s}/versions`, { schema: '{"type":"nothing"}' }, 422, 42201],
        ['POST', `/subjects/${s}/versions`, { schema }, 409, 409],
      ]
      for (const [method, path, body, status, code] of cases) {
        const answer = await ask(method, path, body)
        expect([path, answer.status, answer.body.error_code]).toEqual([path, status, code])
      }
    })
  })
}
