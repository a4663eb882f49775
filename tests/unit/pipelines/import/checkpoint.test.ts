import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readCheckpoint, removeCheckpoint, writeCheckpoint } from '../../../../pipelines/import/checkpoint.ts'

const folder = await mkdtemp(join(tmpdir(), 'harrier-checkpoint-'))
const checkpoint = { observedAt: 1, line: 2, published: 3, rejected: 4, watermarks: [{ partition: 0, offset: 5 }] }

test('a checkpoint is read as it was written, and replaced as a whole', async () => {
  const path = join(folder, 'imports', 'a.json')
  expect(await readCheckpoint(path)).toBeNull()
  await writeCheckpoint(path, { ...checkpoint, line: 1 })
  await writeCheckpoint(path, checkpoint)
  expect(await readCheckpoint(path)).toEqual(checkpoint)
  await removeCheckpoint(path)
  await removeCheckpoint(path)
  expect(await readCheckpoint(path)).toBeNull()
})

for (const text of [
  '',
  '{',
  'null',
  '{"line": 1}',
  JSON.stringify({ ...checkpoint, line: -1 }),
  JSON.stringify({ ...checkpoint, watermarks: [{}] }),
]) {
  test(`the file ${JSON.stringify(text)} is refused with what to do`, async () => {
    const path = join(folder, 'bad.json')
    await writeFile(path, text)
    await expect(readCheckpoint(path)).rejects.toThrow('--restart')
  })
}
