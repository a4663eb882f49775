/**
 * A program: asks the registries for the digest of every image that the Dockerfile and the compose file name, through
 * `docker buildx imagetools`, and writes it behind its tag. With `--check` it changes nothing and ends with 1 while an
 * image has none. Part of a release (docs/contribute/release.md).
 */

import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { imagesOf, pinned, unpinned } from './pin.ts'

const FILES = ['Dockerfile', 'infra/compose.yaml'].map((path) => ({
  path,
  file: fileURLToPath(new URL(`../../${path}`, import.meta.url)),
}))
const DOCKER = process.env.DOCKER ?? 'docker'

const digestOf = (image: string): string =>
  execFileSync(DOCKER, ['buildx', 'imagetools', 'inspect', '--format', '{{.Manifest.Digest}}', image], {
    encoding: 'utf8',
    timeout: 60_000,
  }).trim()

if (process.argv.includes('--check')) {
  const open = FILES.flatMap(({ path, file }) =>
    unpinned(readFileSync(file, 'utf8')).map((image) => `${path}: ${image}`),
  )
  for (const line of open) process.stdout.write(`not pinned: ${line}\n`)
  process.exitCode = open.length > 0 ? 1 : 0
} else {
  const texts = FILES.map(({ file }) => ({ file, text: readFileSync(file, 'utf8') }))
  const images = new Set(texts.flatMap(({ text }) => imagesOf(text)))
  const digests = Object.fromEntries([...images].map((image) => [image, digestOf(image)]))
  // All or nothing: every digest is there before the first file is written.
  for (const { file, text } of texts.map(({ file, text }) => ({ file, text: pinned(text, digests) })))
    writeFileSync(file, text)
  for (const [image, digest] of Object.entries(digests)) process.stdout.write(`${image} ${digest}\n`)
}
