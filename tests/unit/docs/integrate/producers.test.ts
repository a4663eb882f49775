import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { fencesOf } from '../../../builders/infra/page.ts'

const PAGE = 'docs/integrate/producers.md'
const examples = ['python/producer.py', 'python/telemetry.py', 'java/Producer.java'].map((name) => `examples/${name}`)
const read = (path: string): string => readFileSync(path, 'utf8')

test('the page and the examples name the registry where the shipped ones answer', () => {
  const [, path] = /SCHEMA_REGISTRY_URL: http:\/\/registry:8080(\S+)/.exec(read('infra/compose.yaml'))!
  expect(read('infra/dev/apicurio.sh')).toContain(path)
  for (const file of [PAGE, ...examples]) {
    const named = [...read(file).matchAll(/SCHEMA_REGISTRY_URL=(\S+)/g)].map(([, url]) => url)
    expect([file, new Set(named)]).toEqual([file, new Set([`http://127.0.0.1:8081${path}`])])
  }
})

test('the first run starts Kafka, registers a feed that stays, and runs every example', () => {
  const commands = fencesOf(PAGE)
    .filter(({ language }) => language === 'sh')
    .map(({ code }) => code)
    .join('')
  for (const needed of ['infra/compose.yaml', 'infra/dev/kafka.sh start', 'feed register honeypots', ...examples])
    expect(commands).toContain(needed)
  expect(commands).not.toContain('feed unregister')
})
