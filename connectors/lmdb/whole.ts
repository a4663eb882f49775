/**
 * Whether a file of LMDB is there as far as its last commit says. LMDB itself maps what it is given into memory, and a
 * process that meets a page beyond the end of the file, or no page at all, is ended by the kernel.
 */

import { closeSync, fstatSync, ftruncateSync, openSync, readSync } from 'node:fs'

/** Two pages begin with what a commit says (`MDB_meta`); the later one holds. Numbers are little-endian. */
const HEAD = { magic: 24, version: 28, pageSize: 48, lastPage: 144, commit: 152, end: 160 }
const MAGIC = 0xbeefc0de
const VERSION = 2

type Commit = { pageSize: number; commit: bigint; bytes: number }

/** Whether all pages of the file are there. */
export function isWhole(path: string): boolean {
  return within(path, 'r', (file) => {
    const bytes = bytesOf(file)
    return bytes !== null && fstatSync(file).size >= bytes
  })
}

/** Makes the file as long as its last commit says: free pages at its end were never written. */
export function complete(path: string): void {
  within(path, 'r+', (file) => {
    const bytes = bytesOf(file)
    if (bytes !== null && fstatSync(file).size < bytes) ftruncateSync(file, bytes)
  })
}

function bytesOf(file: number): number | null {
  const first = commitAt(file, 0)
  const second = first && commitAt(file, first.pageSize)
  if (second === null) return null
  return (first!.commit > second.commit ? first! : second).bytes
}

function commitAt(file: number, at: number): Commit | null {
  const head = Buffer.alloc(HEAD.end)
  if (readSync(file, head, 0, HEAD.end, at) < HEAD.end) return null
  if (head.readUInt32LE(HEAD.magic) !== MAGIC || head.readUInt32LE(HEAD.version) !== VERSION) return null
  const pageSize = head.readUInt32LE(HEAD.pageSize)
  const bytes = (Number(head.readBigUInt64LE(HEAD.lastPage)) + 1) * pageSize
  return { pageSize, commit: head.readBigUInt64LE(HEAD.commit), bytes }
}

function within<T>(path: string, flags: string, work: (file: number) => T): T {
  const file = openSync(path, flags)
  try {
    return work(file)
  } finally {
    closeSync(file)
  }
}
