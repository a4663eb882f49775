/**
 * A mark of 64 bits for a value, by which what may be an indicator is told from everything else: MurmurHash3 and
 * MurmurHash2 of its UTF-8, both of 32 bits and with the seed 0, as the history store computes them as well. A digest
 * takes ten times as long, and there are some marks for every event. Somebody who finds a second value of the same mark
 * has a row read in vain.
 * https://github.com/aappleby/smhasher/tree/master/src (MurmurHash2.cpp, MurmurHash3.cpp)
 */

/** Appends both halves of the mark of a value, the one of MurmurHash3 first: unsigned numbers of 32 bits. */
export function pushMark(halves: number[], value: string): void {
  if (!pushOf(halves, value, 0x7f)) pushOf(halves, Buffer.from(value).toString('latin1'), 0xff)
}

/** @returns false, with nothing appended, where a character is above `most` and so not one byte */
function pushOf(halves: number[], text: string, most: number): boolean {
  const { length } = text
  const whole = length & ~3
  let third = 0
  let second = length
  let all = 0
  for (let at = 0; at < whole; at += 4) {
    const [a, b] = [text.charCodeAt(at), text.charCodeAt(at + 1)]
    const [c, d] = [text.charCodeAt(at + 2), text.charCodeAt(at + 3)]
    all |= a | b | c | d
    const word = a | (b << 8) | (c << 16) | (d << 24)
    third ^= scrambled(word)
    third = (Math.imul((third << 13) | (third >>> 19), 5) + 0xe6546b64) | 0
    const mixed = Math.imul(word, 0x5bd1e995)
    second = Math.imul(second, 0x5bd1e995) ^ Math.imul(mixed ^ (mixed >>> 24), 0x5bd1e995)
  }
  if (whole < length) {
    let word = 0
    for (let at = length - 1; at >= whole; at--) word = (word << 8) | text.charCodeAt(at)
    for (let at = whole; at < length; at++) all |= text.charCodeAt(at)
    third ^= scrambled(word)
    second = Math.imul(second ^ word, 0x5bd1e995)
  }
  if (all > most) return false
  third ^= length
  third = Math.imul(third ^ (third >>> 16), 0x85ebca6b)
  third = Math.imul(third ^ (third >>> 13), 0xc2b2ae35)
  second = Math.imul(second ^ (second >>> 13), 0x5bd1e995)
  halves.push((third ^ (third >>> 16)) >>> 0, (second ^ (second >>> 15)) >>> 0)
  return true
}

/** A word as MurmurHash3 takes it in. */
function scrambled(word: number): number {
  const mixed = Math.imul(word, 0xcc9e2d51)
  return Math.imul((mixed << 15) | (mixed >>> 17), 0x1b873593)
}
