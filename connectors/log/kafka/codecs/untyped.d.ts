/** Libraries that bring no types of their own. */

declare module 'snappyjs' {
  const snappy: {
    /** @throws Error when the bytes claim more than `maxLength`, or are malformed */
    uncompress(bytes: Uint8Array, maxLength?: number): Uint8Array
  }
  export default snappy
}
