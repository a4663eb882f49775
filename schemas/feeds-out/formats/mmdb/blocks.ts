/** Bytes of a block. A block that is full is not copied when more comes, as one growing buffer would be. */
const BLOCK_BYTES = 1 << 20

export type Blocks = {
  /** Where the bytes begin, counted over all. */
  append: (bytes: Buffer) => number
  size: () => number
  /** All bytes in order, a block at a time. */
  read: () => Iterable<Buffer>
}

/** Bytes that grow. */
export function blocks(): Blocks {
  const full: Buffer[] = []
  let size = 0
  return {
    append: (bytes) => {
      const at = size
      for (let from = 0; from < bytes.length; ) {
        const used = size % BLOCK_BYTES
        if (used === 0) full.push(Buffer.allocUnsafe(BLOCK_BYTES))
        const copied = bytes.copy(full.at(-1)!, used, from)
        from += copied
        size += copied
      }
      return at
    },
    size: () => size,
    *read() {
      for (const [at, block] of full.entries()) yield block.subarray(0, size - at * BLOCK_BYTES)
    },
  }
}
