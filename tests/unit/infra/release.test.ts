import { execFile } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { imagesOf, pinned, unpinned } from '../../../infra/release/pin.ts'
import { ROOT } from '../../builders/infra/image.ts'
import { ownFolder } from '../../builders/suite/own-folder.ts'

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')
const folder = ownFolder('release')

const DIGEST = `sha256:${'0a'.repeat(32)}`
const OTHER = `sha256:${'1b'.repeat(32)}`
const all = (text: string, digest: string) => Object.fromEntries(imagesOf(text).map((image) => [image, digest]))

test('every foreign image of the Dockerfile and of the compose file can carry a digest, and a newer one', () => {
  const dockerfile = read('Dockerfile')
  const compose = read('infra/compose.yaml')
  expect(imagesOf(dockerfile)).toEqual(['node:24-bookworm-slim'])
  const images = Object.values(parse(compose, { merge: true }).services as Record<string, { image: string }>)
    .map(({ image }) => image)
    .filter((image) => image !== 'harrier')
  expect(imagesOf(compose).sort()).toEqual([...new Set(images.map((image) => image.split('@')[0]!))].sort())

  for (const text of [dockerfile, compose]) {
    const once = pinned(text, all(text, DIGEST))
    expect(unpinned(once)).toEqual([])
    expect(once.split(DIGEST)).toHaveLength((text.match(/^\s*(FROM|image:) (?!harrier)/gm) ?? []).length + 1)
    expect(pinned(once, all(text, OTHER))).toBe(once.replaceAll(DIGEST, OTHER))
  }
  expect(dockerfile.match(/^FROM /gm)).toHaveLength(3)
  expect(pinned(dockerfile, all(dockerfile, DIGEST))).toContain(`FROM node:24-bookworm-slim@${DIGEST} AS install\n`)
})

test('an image without a digest, or with something else, changes nothing', () => {
  expect(() => pinned('FROM node:24\n', {})).toThrow('node:24 has no digest')
  expect(() => pinned('FROM node:24\n', { 'node:24': 'sha256:abc' })).toThrow('node:24 has no digest')
})

test('the release step asks for every image and writes all digests; the check says what has none', async () => {
  for (const path of ['infra/release', 'infra/compose.yaml', 'Dockerfile'])
    cpSync(join(ROOT, path), join(folder, path), { recursive: true })
  mkdirSync(join(folder, 'bin'))
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  const docker = join(folder, 'bin/docker')
  writeFileSync(docker, `#!/bin/sh\necho "$@" >> ${folder}/asked\necho ${DIGEST}\n`)
  chmodSync(docker, 0o755)
  const step = (...args: string[]) =>
    promisify(execFile)(process.execPath, [join(folder, 'infra/release/digests.ts'), ...args], {
      env: { ...process.env, DOCKER: docker },
    })
  await expect(step('--check')).rejects.toMatchObject({
    code: 1,
    stdout: expect.stringContaining('not pinned: Dockerfile: node:24-bookworm-slim'),
  })
  expect((await step()).stdout).toContain(`postgres:17 ${DIGEST}`)
  expect(readFileSync(join(folder, 'asked'), 'utf8').trim().split('\n')).toHaveLength(7)
  expect((await step('--check')).stdout).toBe('')
  expect(readFileSync(join(folder, 'Dockerfile'), 'utf8')).toContain(`FROM node:24-bookworm-slim@${DIGEST}\n`)
})
