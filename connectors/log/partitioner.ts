/** Kafka's default partitioner for keyed records: murmur2 of the key, the sign bit dropped, modulo the partitions. */
export const partitionOf = (key: Uint8Array, partitions: number): number => (murmur2(key) & 0x7fffffff) % partitions

const SEED = 0x9747b28c
const M = 0x5bd1e995

/** MurmurHash2, 32 bit, with the seed of Kafka's clients; the result is a signed 32-bit integer. */
export function murmur2(bytes: Uint8Array): number {
  const length = bytes.length
  const whole = length & ~3
  let hash = SEED ^ length
  for (let i = 0; i < whole; i += 4) {
    let word = bytes[i]! | (bytes[i + 1]! << 8) | (bytes[i + 2]! << 16) | (bytes[i + 3]! << 24)
    word = Math.imul(word, M)
    word ^= word >>> 24
    hash = Math.imul(hash, M) ^ Math.imul(word, M)
  }
  const rest = length - whole
  if (rest > 2) hash ^= bytes[whole + 2]! << 16
  if (rest > 1) hash ^= bytes[whole + 1]! << 8
  if (rest > 0) hash = Math.imul(hash ^ bytes[whole]!, M)
  hash ^= hash >>> 13
  hash = Math.imul(hash, M)
  return hash ^ (hash >>> 15)
}
