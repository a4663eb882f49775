import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { mappingFile } from '../../../../connectors/oidc/mapping-file.ts'
import { ownFolder } from '../../../builders/suite/own-folder.ts'

const folder = ownFolder()

const rules = (role: string) => ({ rules: [{ claim: 'groups', value: 'soc', roles: [role] }] })

test('a file is read again when it changes; of a broken one the last good rules hold, and that is said once', async () => {
  const path = join(folder, 'mapping.json')
  const reasons: string[] = []
  writeFileSync(path, JSON.stringify(rules('reporter')))
  const read = mappingFile(path, (reason) => reasons.push(reason))
  expect(await read()).toEqual(rules('reporter'))
  writeFileSync(path, JSON.stringify(rules('trusted')))
  expect(await read()).toEqual(rules('trusted'))
  writeFileSync(path, JSON.stringify(rules('root')))
  expect([await read(), await read()]).toEqual([rules('trusted'), rules('trusted')])
  expect(reasons).toEqual([expect.stringContaining('rules.0.roles')])
  writeFileSync(path, '{')
  expect(await read()).toEqual(rules('trusted'))
  rmSync(path)
  expect(await read()).toEqual(rules('trusted'))
  writeFileSync(path, ' '.repeat(1024 * 1024 + 1))
  expect(await read()).toEqual(rules('trusted'))
  expect(reasons).toHaveLength(4)
  writeFileSync(path, JSON.stringify(rules('reporter')))
  expect(await read()).toEqual(rules('reporter'))
})

test('a file that is broken at the start stops the start and is named', () => {
  const path = join(folder, 'broken.json')
  writeFileSync(path, JSON.stringify(rules('root')))
  expect(() => mappingFile(path, () => undefined)).toThrow(`HARRIER_OIDC_MAPPING_FILE ${path}`)
})

test('without a file nothing is mapped', async () => {
  expect(await mappingFile(null, () => undefined)()).toEqual({ rules: [] })
})
