import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { admitted, ROOT, stages } from '../builders/infra/image.ts'

const copied = [...new Set(stages().flatMap(({ copies }) => copies.flatMap((c) => (c.from === null ? c.sources : []))))]

test('what the image copies exists, and .dockerignore lets exactly that through', () => {
  const named = [...readFileSync(join(ROOT, '.dockerignore'), 'utf8').matchAll(/^!(.+)$/gm)].map(([, path]) => path)
  expect(copied.filter((path) => !existsSync(join(ROOT, path)))).toEqual([])
  expect(named.sort()).toEqual([...copied].sort())
  expect([admitted('infra/clickhouse/views/bi_asn.sql'), admitted('console/dist/index.html')]).toEqual([true, false])
  expect([admitted('tests/runner/setup.ts'), admitted('.git/config'), admitted('data/administrator.json')]).toEqual([
    false,
    false,
    false,
  ])
})
