import type { Stream } from './stream.ts'

/** Bytes that wait for all clients of a process together. One stream may have a mebibyte (decisions-2 12.2). */
const MAX_UNREAD = 128 * 1024 * 1024

/**
 * Ends those streams whose clients read least, until all that waits is within the bound: each is told where it is, and its
 * client goes on from there. Bytes that several streams share are counted for each of them, so no more is held than is
 * counted.
 */
export function boundUnread(streams: Iterable<Pick<Stream, 'unread' | 'lag'>>, most = MAX_UNREAD): void {
  const all = [...streams].map((stream) => ({ stream, bytes: stream.unread() }))
  let total = all.reduce((sum, { bytes }) => sum + bytes, 0)
  if (total <= most) return
  for (const { stream, bytes } of all.sort((a, b) => b.bytes - a.bytes)) {
    stream.lag()
    total -= bytes
    if (total <= most) return
  }
}
