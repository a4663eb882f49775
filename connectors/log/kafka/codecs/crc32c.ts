/** The polynomial of Castagnoli, its bits turned round. */
const CASTAGNOLI = 0x82f63b78

/** What a byte adds to the sum that is followed by 0 to 7 others. */
function tables(): Int32Array[] {
  const first = Int32Array.from({ length: 256 }, (_, byte) => {
    let sum = byte
    for (let bit = 0; bit < 8; bit++) sum = sum & 1 ? (sum >>> 1) ^ CASTAGNOLI : sum >>> 1
    return sum
  })
  const all = [first]
  for (let followed = 1; followed < 8; followed++)
    all.push(all[followed - 1]!.map((before) => (before >>> 8) ^ first[before & 0xff]!))
  return all
}
const [t0, t1, t2, t3, t4, t5, t6, t7] = tables() as [Int32Array] & Record<number, Int32Array>

/** CRC-32C of the bytes, unsigned. Takes eight of them at a time, where the client takes one (ADR 191). */
export function crc32c(bytes: Uint8Array): number {
  const whole = bytes.length & ~7
  let sum = -1
  let at = 0
  for (; at < whole; at += 8) {
    sum ^= bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24)
    sum =
      t7![sum & 0xff]! ^
      t6![(sum >>> 8) & 0xff]! ^
      t5![(sum >>> 16) & 0xff]! ^
      t4![sum >>> 24]! ^
      t3![bytes[at + 4]!]! ^
      t2![bytes[at + 5]!]! ^
      t1![bytes[at + 6]!]! ^
      t0[bytes[at + 7]!]!
  }
  for (; at < bytes.length; at++) sum = t0[(sum ^ bytes[at]!) & 0xff]! ^ (sum >>> 8)
  return ~sum >>> 0
}
