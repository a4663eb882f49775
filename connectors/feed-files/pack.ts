import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import type { Transform } from 'node:stream'
import { constants, createGzip, createZstdCompress } from 'node:zlib'
import type { Coding } from './port.ts'

/** Lists are text that comes again and again: higher levels take several times as long for a tenth of the bytes. */
const GZIP_LEVEL = 4
const ZSTD_LEVEL = 3

const packers: Record<Exclude<Coding, 'identity'>, () => Transform> = {
  gzip: () => createGzip({ level: GZIP_LEVEL }),
  zstd: () => createZstdCompress({ params: { [constants.ZSTD_c_compressionLevel]: ZSTD_LEVEL } }),
}

export type Written = { etag: string; bytes: number }

/** Packs a file into another one. */
export const packed = (from: string, to: string, coding: Exclude<Coding, 'identity'>): Promise<Written> => {
  const source = createReadStream(from)
  const packer = packers[coding]()
  source.once('error', (error) => packer.destroy(error))
  return writeFile(to, source.pipe(packer))
}

/** Writes a file that only its owner may read, to the disk, and digests it. */
export async function writeFile(path: string, bytes: AsyncIterable<Uint8Array>): Promise<Written> {
  const digest = createHash('sha256')
  const file = await open(path, 'wx', 0o600)
  let length = 0
  try {
    for await (const piece of bytes) {
      digest.update(piece)
      length += piece.length
      await writeAll(file, piece)
    }
    await file.sync()
  } finally {
    await file.close()
  }
  return { etag: `"${digest.digest('base64url')}"`, bytes: length }
}

async function writeAll(file: FileHandle, piece: Uint8Array): Promise<void> {
  for (let at = 0; at < piece.length; ) at += (await file.write(piece, at)).bytesWritten
}
