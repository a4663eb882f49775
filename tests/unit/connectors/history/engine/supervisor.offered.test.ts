import { expect, test } from 'vitest'
import { engineMissing } from '../../../../../connectors/history/engine/supervisor.ts'

test('a machine without an engine is told what to do, by the name of the package that it lacks', () => {
  for (const [platform, arch, name] of [
    ['linux', 'arm64', '@chdb/lib-linux-arm64-gnu'],
    ['darwin', 'arm64', '@chdb/lib-darwin-arm64'],
    ['win32', 'x64', '@chdb/lib-win32-x64'],
  ] as const) {
    expect(engineMissing(platform, arch, (wanted) => wanted === 'chdb')).toMatch(
      new RegExp(`for this machine \\(${platform} ${arch}: the package ${name} .*set CLICKHOUSE_URL`),
    )
    expect(engineMissing(platform, arch, () => true)).toBeNull()
  }
})

test('this machine has the engine that npm installed here', () => {
  expect(engineMissing('linux', 'x64')).toBeNull()
  expect(engineMissing('linux', 'x64', () => false)).toContain('CLICKHOUSE_URL')
})
