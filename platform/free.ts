/**
 * Gives the memory of bytes back now. V8 does it once it has looked through the whole heap, which it does the more often
 * the more bytes wait for that (ADR 274). Bytes that share their memory with others are left alone.
 * @param bytes nobody reads them afterwards: they have a length of 0
 */
export function free({ buffer, byteLength }: Uint8Array): void {
  if (byteLength > 0 && buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0)
}
